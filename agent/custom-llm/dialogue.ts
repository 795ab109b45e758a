/** Exchanges turns with a custom LLM server. A new turn replaces the previous one, and later pieces of the previous reply are ignored. */
import type { TranscriptEntry, TurnRequest } from '../../domain/custom-llm-messages';
import { withTimeout } from '../../runtime/network/time-limit';
import { Connection, type ConnectionOptions, NoAnswer, type ServerMessage } from './connection';

/** Longest wait for the next piece once the server has begun to answer. */
const NEXT_PIECE_LIMIT_MS = 10_000;
/** About twenty minutes of speech. */
const MAX_REPLY_CHARACTERS = 20_000;
/** After a timeout, the next request waits until the server sends anything, or for this long. */
const RETRY_AFTER_SILENCE_MS = 30_000;

export interface DialogueOptions extends ConnectionOptions {
  requestBody: TurnRequest['req_body'];
  firstTokenWithinMs: number;
}

interface Piece {
  responseId: number;
  content: string;
  /** True when the server wants to end the call after this piece was spoken. */
  endsCall: boolean;
}

interface PendingTurn {
  responseId: number;
  reply: ReplyQueue;
}

export class Dialogue {
  private readonly connection: Connection;
  private requestCount = 0;
  private pendingTurn: PendingTurn | null = null;
  /** Undefined until the server sends its greeting. */
  private greeting: string | undefined;
  /** Called whenever the server connects or sends something. */
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: DialogueOptions) {
    this.connection = new Connection(options, {
      opened: () => this.wake(),
      message: (message) => this.onMessage(message),
      lost: (failure) => this.pendingTurn?.reply.fail(failure),
    });
  }

  /** Returns the server's greeting, or null when it is empty or does not arrive in time. */
  async awaitGreeting(withinMs: number): Promise<string | null> {
    const isThere = (): boolean => this.greeting !== undefined;
    const greeted = this.until(isThere, withinMs);
    // Without a connection there is no greeting to wait for.
    const opened = this.connection.open().then(
      () => greeted,
      () => undefined,
    );
    await Promise.race([greeted, opened]);
    return this.greeting === undefined || this.greeting === '' ? null : this.greeting;
  }

  /** Streams the reply to a turn until a newer turn begins or the signal is aborted. Throws `NoAnswer`. */
  async *ask(transcript: TranscriptEntry[], signal: AbortSignal): AsyncGenerator<Piece> {
    this.pendingTurn?.reply.end();
    const question = { responseId: (this.requestCount += 1), reply: new ReplyQueue() };
    this.pendingTurn = question;
    const stop = (): void => question.reply.end();
    signal.addEventListener('abort', stop);
    try {
      yield* this.answerTo(question, transcript);
    } finally {
      signal.removeEventListener('abort', stop);
      if (this.pendingTurn === question) this.pendingTurn = null;
    }
  }

  /** Resolves when the server can receive requests again after this failure. Throws `NoAnswer` when it never can. */
  async recovered(failure: NoAnswer['kind']): Promise<void> {
    if (failure === 'timed out') await this.nextActivity(RETRY_AFTER_SILENCE_MS);
    for (;;) {
      try {
        return await this.connection.open();
      } catch (error) {
        if (!(error instanceof NoAnswer) || error.kind !== 'lost') throw error;
        await this.nextActivity(RETRY_AFTER_SILENCE_MS);
      }
    }
  }

  close(): void {
    this.pendingTurn?.reply.fail(new NoAnswer('closed', 'the call is over'));
    this.connection.close();
    this.wake();
  }

  private async *answerTo(question: PendingTurn, transcript: TranscriptEntry[]): AsyncGenerator<Piece> {
    const { responseId, reply } = question;
    const firstUntil = performance.now() + this.options.firstTokenWithinMs;
    this.send(question, transcript).catch((error: unknown) => reply.fail(asNoAnswer(error)));
    let characters = 0;
    let endsCall = false;
    for (;;) {
      const withinMs = characters > 0 ? NEXT_PIECE_LIMIT_MS : Math.max(0, firstUntil - performance.now());
      const part = await reply.next(withinMs);
      if (part === null) return;
      characters += part.content.length;
      endsCall ||= part.endsCall;
      const isComplete = part.isComplete || characters > MAX_REPLY_CHARACTERS;
      yield { responseId, content: part.content, endsCall: isComplete && endsCall };
      if (isComplete) return;
    }
  }

  private async send(question: PendingTurn, transcript: TranscriptEntry[]): Promise<void> {
    await this.connection.open();
    if (this.pendingTurn !== question) return;
    const request: TurnRequest = {
      interaction_type: 'response_required',
      response_id: question.responseId,
      call_id: this.options.callId,
      transcript,
      req_body: this.options.requestBody,
    };
    this.connection.send(request);
  }

  private onMessage(message: ServerMessage): void {
    if (message.kind === 'greeting') this.greeting ??= message.content;
    const { pendingTurn } = this;
    if (message.kind === 'reply' && message.responseId === pendingTurn?.responseId)
      pendingTurn.reply.put(message);
    this.wake();
  }

  private wake(): void {
    for (const woken of [...this.listeners]) woken();
  }

  /** Resolves when the condition holds or the time is up. */
  private async until(holds: () => boolean, withinMs: number): Promise<void> {
    const endAt = performance.now() + withinMs;
    while (!holds() && performance.now() < endAt) await this.nextActivity(endAt - performance.now());
  }

  /** Resolves on the server's next activity or when the time is up. */
  private nextActivity(withinMs: number): Promise<void> {
    let woken: () => void = () => undefined;
    const activity = new Promise<void>((resolve) => {
      woken = resolve;
      this.listeners.add(woken);
    });
    return withTimeout(withinMs, activity, () => undefined).finally(() => this.listeners.delete(woken));
  }
}

const asNoAnswer = (error: unknown): NoAnswer =>
  error instanceof NoAnswer ? error : new NoAnswer('lost', 'the question could not be sent');

interface ReplyPart {
  content: string;
  isComplete: boolean;
  endsCall: boolean;
}

/** Queues the pieces of one reply until they are read. */
class ReplyQueue {
  private readonly parts: ReplyPart[] = [];
  private failure: NoAnswer | null = null;
  private isEnded = false;
  private wake: () => void = () => undefined;

  put(part: ReplyPart): void {
    this.parts.push(part);
    this.wake();
  }

  /** Readers get the failure after the pieces that are already queued. */
  fail(failure: NoAnswer): void {
    this.failure ??= failure;
    this.wake();
  }

  /** Ends the queue and discards unread pieces. */
  end(): void {
    this.isEnded = true;
    this.wake();
  }

  /** Returns null after `end`. Throws `NoAnswer` when nothing arrives in time or the reply has failed. */
  async next(withinMs: number): Promise<ReplyPart | null> {
    if (this.parts.length === 0 && this.failure === null && !this.isEnded) await this.woken(withinMs);
    if (this.isEnded) return null;
    const part = this.parts.shift();
    if (part !== undefined) return part;
    throw this.failure ?? new NoAnswer('timed out', `the server sent nothing for ${Math.round(withinMs)} ms`);
  }

  private async woken(withinMs: number): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    await withTimeout(withinMs, woken, () => undefined);
    this.wake = () => undefined;
  }
}
