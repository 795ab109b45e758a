/** A text session with an agent, like typing in the playground. It's a call that holds a line and has a cost. */
import type { Room } from 'livekit-client';
import { captions } from '../../../../sdk/typescript/captions';
import { answerOf, api } from '../../api/client';
import { afterFrame, nothingHeard, turnBegins, type Heard } from './heard';

/** Topic on which LiveKit's agents receive typed text. */
const CHAT_TOPIC = 'lk.chat';
const LOOK_EVERY_MS = 100;
/** The captions show the end within 1.5 s, once the agent has noticed that the person left. */
const END_IS_KNOWN_WITHIN_MS = 10_000;

export interface TextSessionSettings {
  agentId: string;
  /** Empty for the platform's default. */
  language: string;
  variables: Record<string, never>;
  signal: AbortSignal;
}

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
  static async open({ agentId, language, variables, signal }: TextSessionSettings): Promise<TextSession> {
    const { Room } = await import('livekit-client');
    const dispatched = await answerOf(
      api.POST('/api/trigger-call/', {
        body: {
          agent_id: agentId,
          medium: 'webrtc',
          metadata: variables,
          ...(language !== '' && { primary_language: language }),
        },
      }),
    );
    if (!('token' in dispatched)) throw new Error('the dispatch created no session');
    const { token, room_name: callId, connection_url: url } = dispatched;
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
    await this.room.localParticipant.sendText(text, { topic: CHAT_TOPIC });
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
    if (this.heard.endedAs !== null) return;
    const params = { path: { call_id: this.callId } };
    await api.POST('/api/calls/{call_id}/hangup', { params }).catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const { origin } = window.location;
    const address = `${origin.replace(/^http/, 'ws')}/api/live-transcripts/ws/${encodeURIComponent(this.callId)}`;
    for await (const frame of captions(address, { signal: this.listening.signal }))
      this.heard = afterFrame(this.heard, frame, Date.now());
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
