/** A session in which a program types. */
import type { Room } from 'livekit-client';
import { liveCaptions } from '../../api/live';
import { hangUp, openBrowserSession, typeInto, type WantedSession } from '../browser-session';
import { afterFrame, nothingHeard, turnBegins, type Heard } from './heard';

const LOOK_EVERY_MS = 100;
/** The captions show the end within 1.5 s, once the agent has noticed that the person left. */
const END_IS_KNOWN_WITHIN_MS = 10_000;

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

  /** Resolves once the person is in the room. The agent can join later. Loads LiveKit's client on first use. */
  static async open(wanted: WantedSession, signal: AbortSignal): Promise<TextSession> {
    const { Room } = await import('livekit-client');
    const { callId, url, token } = await openBrowserSession(wanted);
    const session = new TextSession(callId, new Room(), signal);
    try {
      await session.room.connect(url, token);
    } catch (cause) {
      await session.close();
      throw new Error('the media server could not be reached', { cause });
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

  /** Resolves when the condition holds or the time is over. @throws if the run was stopped or the captions are lost */
  async until(isSo: (heard: Heard, now: number) => boolean, withinMs = Infinity): Promise<Heard> {
    const deadline = Date.now() + withinMs;
    while (!isSo(this.heard, Date.now()) && Date.now() < deadline) {
      this.signal.throwIfAborted();
      if (this.lost !== null) throw new Error('the live captions do not respond', { cause: this.lost });
      await sleep(LOOK_EVERY_MS);
    }
    return this.heard;
  }

  /** Leaves the room, which ends the conversation. If no end is reported, hangs the call up, because it holds a line. */
  async close(): Promise<void> {
    await this.room.disconnect();
    const deadline = Date.now() + (this.heard.isAnswered ? END_IS_KNOWN_WITHIN_MS : 0);
    while (this.heard.endedAs === null && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
    this.listening.abort();
    if (this.heard.endedAs === null) await hangUp(this.callId);
  }

  private async listen(): Promise<void> {
    for await (const frame of liveCaptions(this.callId, { signal: this.listening.signal }))
      this.heard = afterFrame(this.heard, frame, Date.now());
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
