/** A browser session in which code types the user's messages. */
import type { Room } from 'livekit-client';
import { liveCaptions } from '../../api/live';
import { hangUp, openBrowserSession, typeInto, type SessionRequest } from '../browser-session';
import { afterFrame, nothingHeard, turnBegins, type Heard } from './heard';

const CHECK_EVERY_MS = 100;
/** The captions usually report the end of the call within 1.5 s after the agent notices that the user has left. */
const END_TIMEOUT_MS = 10_000;

export class TextSession {
  private heard = nothingHeard(Date.now());
  private lost: Error | null = null;
  private readonly listening = new AbortController();

  private constructor(
    readonly callId: string,
    private readonly room: Room,
    private readonly signal: AbortSignal,
  ) {
    this.listen().catch((error: Error) => (this.lost = error));
  }

  /** Resolves once the browser has joined the room, even if the agent hasn't. Loads LiveKit's client on first use. */
  static async open(request: SessionRequest, signal: AbortSignal): Promise<TextSession> {
    const { Room } = await import('livekit-client');
    const { callId, url, token } = await openBrowserSession(request);
    const session = new TextSession(callId, new Room(), signal);
    try {
      await session.room.connect(url, token);
    } catch (cause) {
      await session.close();
      throw new Error('the media server can’t be reached', { cause });
    }
    return session;
  }

  /** Sends the text and begins a new turn. */
  async type(text: string): Promise<void> {
    this.heard = turnBegins(this.heard, Date.now());
    await typeInto(this.room, text);
  }

  beginTurn(): void {
    this.heard = turnBegins(this.heard, Date.now());
  }

  /**
   * Resolves when the condition is met, or after `withinMs`.
   * @throws Error if the run was stopped or the captions were lost
   */
  async until(isMet: (heard: Heard, now: number) => boolean, withinMs = Infinity): Promise<Heard> {
    const deadline = Date.now() + withinMs;
    while (!isMet(this.heard, Date.now()) && Date.now() < deadline) {
      this.signal.throwIfAborted();
      if (this.lost !== null) throw new Error('the live captions were disconnected', { cause: this.lost });
      await sleep(CHECK_EVERY_MS);
    }
    return this.heard;
  }

  /** Leaves the room, which ends the conversation. Hangs up the call to free its line if the captions don't report its end. */
  async close(): Promise<void> {
    await this.room.disconnect();
    const deadline = Date.now() + (this.heard.isAnswered ? END_TIMEOUT_MS : 0);
    while (this.heard.endedAs === null && Date.now() < deadline) await sleep(CHECK_EVERY_MS);
    this.listening.abort();
    if (this.heard.endedAs === null) await hangUp(this.callId);
  }

  private async listen(): Promise<void> {
    for await (const frame of liveCaptions(this.callId, { signal: this.listening.signal }))
      this.heard = afterFrame(this.heard, frame, Date.now());
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
