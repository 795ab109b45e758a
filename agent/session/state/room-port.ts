/** A LiveKit room as a conversation needs it. `livekit/` implements it; tests have a fake. */
import type { Samples } from '../../audio/pcm';

export interface Participant {
  identity: string;
  isSip: boolean;
  /** Another agent process of ours. */
  isAgent: boolean;
  attributes: Readonly<Record<string, string>>;
}

export type RoomEvent =
  /** Joined, was present when listening began, or changed its attributes. */
  | { kind: 'participant'; participant: Participant }
  /** `reason` in LiveKit's words, such as CLIENT_INITIATED. */
  | { kind: 'left'; participant: Participant; reason: string }
  | { kind: 'audio'; participant: Participant; samples: Samples }
  /** A chat message that a participant sent. */
  | { kind: 'text'; participant: Participant; text: string }
  /** We are no longer in the room: it was deleted, we were removed, or the connection, lost at the instant, is lost for good. */
  | { kind: 'closed'; reason: string; lostAt?: number };

export interface ConversationRoom {
  readonly name: string;
  /** Our own, once the room is joined. */
  readonly identity: string;
  /** The room's current metadata; empty when there is none. */
  readonly metadata: string;
  join(): Promise<void>;
  /** Participants that are present are emitted first. */
  listen(listener: (event: RoomEvent) => void): void;
  /** Publishes the agent's audio track; a caller's phone stops ringing. */
  publishVoice(): Promise<void>;
  /** Signals the worker that waits for the agent that it may dial. */
  publishReady(): Promise<void>;
  /** Of the agent, visible to everybody in the room. */
  setAttributes(attributes: Readonly<Record<string, string>>): Promise<void>;
  /** Queues audio; resolves when there is capacity for more. */
  send(samples: Samples): Promise<void>;
  /** Queued audio that is not played yet, in milliseconds. */
  readonly queuedMs: number;
  /** Drops queued audio that is not played yet. */
  clearQueue(): void;
  /** Resolves when it was played, or cut short. */
  play(samples: Samples, signal: AbortSignal): Promise<void>;
  /** Milliseconds since the newest audio packet, silence included; null when none has arrived. Rejects when that is unknown. */
  sinceAudioMs(): Promise<number | null>;
  /** Sends text to clients that show captions, such as the browser of a session. */
  caption(text: string): Promise<void>;
  saveMetadata(metadata: string): Promise<void>;
  /** Hangs the phone up. False where its SIP bridge does not confirm: the phone may be connected. Rejects where it could not be removed. */
  hangUp(identity: string): Promise<boolean>;
  /** Removes a participant that is no phone. */
  remove(identity: string): Promise<void>;
  /** Transfers a phone call to another number; rejects when the network refuses. */
  transfer(identity: string, to: string): Promise<void>;
  /** Removes everybody. */
  delete(): Promise<void>;
  leave(): Promise<void>;
}
