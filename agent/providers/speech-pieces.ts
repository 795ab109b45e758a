/**
 * Splits a streamed answer for a voice without streaming. The first piece is a clause, so that speech starts early; the others are
 * sentences, which sound better whole. The SDK's tokenizer waits for a sentence of 20 characters and does not know the danda.
 */
import { tokenize, tts } from '@livekit/agents';

/** Speaking a clause of this length takes about a second, in which the next piece is synthesised. */
const MIN_CLAUSE = 15;
/** A shorter sentence is joined to the next one. */
const MIN_SENTENCE = 20;

/** The danda and double danda end a sentence in Hindi and other Indian languages. */
const SENTENCE_END = /(?:[.!?…]+["”’')\]]*(?=\s)|[।॥]+["”’')\]]*(?=.)|\n)/gsu;
const CLAUSE_END = /[,;:،](?=\s)|\s[–—](?=\s)/gu;
/** Text before a full stop that does not end a sentence: titles, initials, words before a number, and item numbers. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|(?:\p{L}\.)+\p{L}|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Rs|No|Nos|vs|etc|approx|Inc|Ltd|Co|Ext|डॉ|रु|श्री)$|(?:^|[\n:;])\s*\d{1,2}$/iu;

/** Returns the end of the first piece of a text, or null while more text can still extend it. */
function endOfPiece(text: string, isFirst: boolean): number | null {
  const sentence = firstEnd(
    text,
    SENTENCE_END,
    (end, before) =>
      isSentence(text.slice(before, end), text.slice(0, before)) && end >= (isFirst ? 1 : MIN_SENTENCE),
  );
  if (!isFirst) return sentence;
  const clause = firstEnd(text, CLAUSE_END, (end) => end >= MIN_CLAUSE && !isInNumber(text, end));
  return sentence === null || (clause !== null && clause < sentence) ? clause : sentence;
}

function firstEnd(
  text: string,
  ends: RegExp,
  holds: (end: number, before: number) => boolean,
): number | null {
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length;
    if (holds(end, match.index)) return end;
  }
  return null;
}

const isSentence = (punctuation: string, before: string): boolean =>
  /[\p{L}\p{N}]/u.test(before) && !(punctuation === '.' && ABBREVIATION.test(before));

/** True in the middle of a phone number that is read out: "98765, 43210". */
const isInNumber = (text: string, end: number): boolean =>
  /\d$/.test(text.slice(0, end - 1)) && /^\s+(?:\d|$)/.test(text.slice(end));

export class SpeechTokenizer extends tokenize.SentenceTokenizer {
  override tokenize(text: string): string[] {
    const pieces: string[] = [];
    for (let rest = text; rest.trim() !== '';) {
      const end = endOfPiece(rest, pieces.length === 0) ?? rest.length;
      pieces.push(rest.slice(0, end).trim());
      rest = rest.slice(end);
    }
    return pieces.filter((piece) => piece !== '');
  }

  override stream(): SpeechPieces {
    return new SpeechPieces();
  }
}

class SpeechPieces extends tokenize.SentenceStream {
  private text = '';
  private isFirst = true;
  private nth = 0;

  override pushText(text: string): void {
    this.text += text;
    for (let end = this.nextEnd(); end !== null; end = this.nextEnd()) {
      this.put(this.text.slice(0, end));
      this.text = this.text.slice(end);
    }
  }

  /** Ends the utterance. Text that follows starts a new one. */
  override flush(): void {
    this.put(this.text);
    this.text = '';
    this.isFirst = true;
    this.nth += 1;
  }

  override endInput(): void {
    this.flush();
    this.close();
  }

  private nextEnd(): number | null {
    return endOfPiece(this.text, this.isFirst);
  }

  private put(text: string): void {
    const token = text.replace(/\s+/g, ' ').trim();
    if (token === '') return;
    this.queue.put({ token, segmentId: String(this.nth) });
    this.isFirst = false;
  }
}

/** Sends an answer piece by piece to a voice without streaming. Unlike the SDK's adapter, it closes the voice. */
export class StreamedTts extends tts.StreamAdapter {
  constructor(private readonly voice: tts.TTS) {
    super(voice, new SpeechTokenizer());
  }

  override get model(): string {
    return this.voice.model;
  }

  override get provider(): string {
    return this.voice.provider;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.voice.close();
  }
}
