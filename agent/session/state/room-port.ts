/** A LiveKit room as a conversation needs it. `livekit/` has the real one; tests have a small one of their own. */
import type { Samples } from '../../audio/pcm';

export interface Participant {
  identity: string;
  isSip: boolean;
  /** One of our kind: an agent in a process like this one. */
  isAgent: boolean;
  attributes: Readonly<Record<string, string>>;
}

export type RoomEvent =
  /** Joined, or was there when the listening began; or its attributes changed. */
  | { kind: 'participant'; participant: Participant }
  /** `reason` in LiveKit's words, such as CLIENT_INITIATED. */
  | { kind: 'left'; participant: Participant; reason: string }
  | { kind: 'audio'; participant: Participant; samples: Samples }
  /** A text that somebody sent into the room. */
  | { kind: 'text'; participant: Participant; text: string }
  /** We are not in it any more: it was deleted, we were removed, or the connection is lost for good. */
  | { kind: 'closed'; reason: string };

export interface ConversationRoom {
  readonly name: string;
  /** Ours, once it is joined. */
  readonly identity: string;
  /** Of the room, as it is known now; empty where there is none. */
  readonly metadata: string;
  join(): Promise<void>;
  /** What is there already comes first. */
  listen(listener: (event: RoomEvent) => void): void;
  /** From now on the others can hear the agent; a caller's phone stops ringing. */
  publishVoice(): Promise<void>;
  /** Tells the worker that waits for it that it may dial. */
  publishReady(): Promise<void>;
  /** Of the agent, for whoever is in the room. */
  setAttributes(attributes: Readonly<Record<string, string>>): Promise<void>;
  /** Hands sound over; resolves when there is room for more. */
  send(samples: Samples): Promise<void>;
  /** What was handed over and is not heard yet, in milliseconds. */
  readonly queuedMs: number;
  /** What was handed over and is not heard yet never will be. */
  clearQueue(): void;
  /** Resolves when it was played, or cut short. */
  play(samples: Samples, signal: AbortSignal): Promise<void>;
  /** Whether sound comes in, be it silence. Where nobody can say, it does. */
  receivesSound(): Promise<boolean>;
  /** To whoever shows captions, such as the browser of a session. */
  caption(text: string): Promise<void>;
  saveMetadata(metadata: string): Promise<void>;
  /** Puts the guest out: a phone call is hung up. */
  remove(identity: string): Promise<void>;
  /** Gives a phone call on to another number; rejects where the network does not. */
  transfer(identity: string, to: string): Promise<void>;
  /** Puts everybody out. */
  delete(): Promise<void>;
  leave(): Promise<void>;
}
