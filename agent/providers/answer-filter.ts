/** Removes the parts of a streamed answer that the caller must not hear. */
import { assertNever } from '../../domain/assert-never';
import {
  familyOf,
  headerFrom,
  isCutMarker,
  LONGEST_PARTIAL,
  nextMarker,
  partialFrom,
  type Marker,
} from './answer-markers';

/**
 * How a model delimits its reasoning, as learned from its answers. Some models only marker the end, so the first answer of an unknown model
 * is held back until it's complete.
 */
export type ReasoningHabit = 'unknown' | 'none' | 'only-closes';

/** The kind of text that is being removed. It determines which marker ends it. */
type Dropping =
  | { kind: 'reasoning' | 'tool'; name: string }
  | { kind: 'channel' | 'role' | 'rest' | 'tool-token' | 'fence' }
  | { kind: 'brackets'; depth: number; isQuoted: boolean };

/** Number of already processed characters to keep, because some patterns look behind. */
const CONTEXT = 32;
/** The patterns take quadratic time in the number of spaces, so longer text is processed in slices. */
const LONGEST_SLICE = 1_000;
const SPOKEN_FENCES = new Set(['', 'text', 'txt', 'plaintext', 'markdown', 'md']);
const OWN_ROLES = new Set(['assistant', 'ai assistant', 'ai', 'bot', 'agent', 'model']);

export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

export class AnswerFilter {
  private text = '';
  /** Position up to which the text has been processed. */
  private at = 0;
  private isOver = false;
  private dropping: Dropping | null = null;
  /** Text held back because it may turn out to be reasoning. Null once nothing needs to be held back. */
  private held: string | null;
  private output = '';
  private hasSpoken = false;

  constructor(private habit: ReasoningHabit) {
    this.held = habit === 'none' ? null : '';
  }

  get learned(): ReasoningHabit {
    return this.habit;
  }

  /** Adds a piece of the answer. Returns the text that can be spoken now. */
  push(piece: string): string {
    for (let from = 0; from < piece.length; from += LONGEST_SLICE) {
      this.text += piece.slice(from, from + LONGEST_SLICE);
      const limit = this.scan();
      if (this.dropping === null) this.pass(Math.min(limit, partialFrom(this.text, this.at)));
      this.forget();
    }
    return this.take();
  }

  /** Returns the remaining text. A tool call ends the text before it, but doesn't reveal how the model delimits its reasoning. */
  end({ byToolCall = false } = {}): string {
    this.isOver = true;
    this.scan();
    if (this.dropping === null) {
      this.pass(partialFrom(this.text, this.at));
      if (!isCutMarker(this.text.slice(this.at))) this.pass(this.text.length);
    }
    // If reasoning was cut off, its closing marker is missing.
    const isReasoning = this.held !== null && this.habit === 'only-closes';
    this.output = isReasoning ? '' : (this.held ?? '') + this.output;
    this.held = null;
    if (this.habit === 'unknown' && !byToolCall && hasWords(this.output)) this.habit = 'none';
    return this.take();
  }

  /** Returns the position up to which the text has been processed. */
  private scan(): number {
    for (;;) {
      if (this.dropping?.kind === 'brackets') {
        if (!this.skipBrackets(this.dropping)) return this.at;
        this.dropping = null;
      }
      const marker = nextMarker(this.text, this.at);
      const header = this.isOver ? null : headerFrom(this.text, this.at);
      if (header !== null && (marker === null || header < marker.at)) {
        if (this.text.length - header < LONGEST_SLICE) return header;
        this.decide({ kind: 'channel', at: header, end: header + 1, name: '' });
        continue;
      }
      if (marker === null) return this.text.length;
      // More text could extend this into a longer marker.
      if (!this.isOver && marker.end === this.text.length) return marker.at;
      this.decide(marker);
    }
  }

  private decide(marker: Marker): void {
    const { dropping } = this;
    if (dropping === null) {
      this.pass(marker.at);
      this.open(marker);
    } else if (endsDropping(dropping, marker)) {
      this.dropping = null;
      if (marker.kind === 'channel') this.open(marker);
    }
    const isBrackets = this.dropping?.kind === 'brackets';
    // A marker that introduces brackets ends before the first bracket.
    this.at = isBrackets ? marker.end : Math.max(marker.end, marker.at + 1);
  }

  private open({ kind, name }: Marker): void {
    switch (kind) {
      case 'open':
        this.marksBeginning();
        this.dropping = { kind: 'reasoning', name: familyOf(name) };
        return;
      case 'channel':
        if (name === 'final') return this.discard();
        this.marksBeginning();
        this.dropping = { kind: 'channel' };
        return;
      case 'role':
      case 'speaker':
        if (!OWN_ROLES.has(name)) this.dropping = { kind: 'role' };
        return;
      case 'close':
      case 'answer':
        return this.discard();
      case 'tool':
        this.dropping = { kind: 'tool', name };
        return;
      case 'toolToken':
        this.dropping = { kind: 'tool-token' };
        return;
      case 'rest':
        this.dropping = { kind: 'rest' };
        return;
      case 'fence':
        if (!SPOKEN_FENCES.has(name)) this.dropping = { kind: 'fence' };
        return;
      case 'call':
      case 'json':
        this.dropping = { kind: 'brackets', depth: 0, isQuoted: false };
        return;
      case 'token':
      case 'toolEnd':
      case 'toolTokenEnd':
        return;
      default:
        assertNever(kind);
    }
  }

  /** Skips text inside brackets. Returns true once the last bracket is closed. */
  private skipBrackets(state: Extract<Dropping, { kind: 'brackets' }>): boolean {
    for (; this.at < this.text.length; this.at += 1) {
      const char = this.text[this.at] ?? '';
      if (state.isQuoted) {
        if (char === '\\') this.at += 1;
        else if (char === '"') state.isQuoted = false;
      } else if (char === '"') state.isQuoted = true;
      else if ('([{'.includes(char)) state.depth += 1;
      else if (')]}'.includes(char)) {
        state.depth -= 1;
        if (state.depth > 0) continue;
        this.at += 1;
        return true;
      }
    }
    return false;
  }

  /** Drops everything so far, because it was reasoning without an opening marker. */
  private discard(): void {
    if (hasWords((this.held ?? '') + this.output)) this.habit = 'only-closes';
    this.output = '';
    this.held = null;
  }

  /** A model that marks the start of its reasoning never leaves reasoning unmarked. */
  private marksBeginning(): void {
    if (this.held === null || hasWords(this.held + this.output)) return;
    this.held = null;
    if (this.habit === 'unknown') this.habit = 'none';
  }

  private pass(to: number): void {
    if (to <= this.at) return;
    this.output += this.text.slice(this.at, to);
    this.at = to;
  }

  private forget(): void {
    if (this.dropping !== null) this.at = Math.max(this.at, this.text.length - LONGEST_PARTIAL);
    const cut = Math.max(0, this.at - CONTEXT);
    this.text = this.text.slice(cut);
    this.at -= cut;
  }

  /** Holds back text without words, so that an answer without any words stays empty. */
  private take(): string {
    if (this.held !== null) {
      this.held += this.output;
      this.output = '';
      return '';
    }
    if (!this.hasSpoken) {
      this.output = this.output.trimStart();
      if (!hasWords(this.output)) return '';
      this.hasSpoken = true;
    }
    const words = this.output;
    this.output = '';
    return words;
  }
}

function endsDropping(dropping: Dropping, { kind, name }: Marker): boolean {
  switch (dropping.kind) {
    case 'reasoning':
      return kind === 'close' && familyOf(name) === dropping.name;
    case 'channel':
      return kind === 'channel';
    case 'role':
      return (kind === 'role' || kind === 'speaker') && OWN_ROLES.has(name);
    case 'tool':
      return kind === 'toolEnd' && name === dropping.name;
    case 'tool-token':
      return kind === 'toolTokenEnd';
    case 'fence':
      return kind === 'fence';
    case 'rest':
    case 'brackets':
      return false;
    default:
      return assertNever(dropping);
  }
}
