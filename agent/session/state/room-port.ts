/** The LiveKit room as a conversation sees it. `livekit/` implements it, and tests use a fake. */
import type { Samples } from '../../audio/pcm';

export interface Participant {
  identity: string;
  isSip: boolean;
  /** True for another process of our agent. */
  isAgent: boolean;
  attributes: Readonly<Record<string, string>>;
}

export type RoomEvent =
  /** The participant joined, was already present when listening began, or changed its attributes. */
  | { kind: 'participant'; participant: Participant }
  /** `reason` is one of LiveKit's, such as CLIENT_INITIATED. */
  | { kind: 'left'; participant: Participant; reason: string }
  | { kind: 'audio'; participant: Participant; samples: Samples }
  /** A participant sent a chat message. */
  | { kind: 'text'; participant: Participant; text: string }
  /**
   * The agent is no longer in the room. Either the room was deleted, the agent was removed, or a connection that was lost at `lostAt` could
   * not be restored.
   */
  | { kind: 'closed'; reason: string; lostAt?: number };

export interface ConversationRoom {
  readonly name: string;
  /** The agent's own identity. Available once it has joined. */
  readonly identity: string;
  /** The room's current metadata. Empty when there is none. */
  readonly metadata: string;
  join(): Promise<void>;
  /** Reports the participants that are already present first. */
  listen(listener: (event: RoomEvent) => void): void;
  /** Publishes the agent's audio track. An inbound caller's phone then stops ringing. */
  publishVoice(): Promise<void>;
  /** Tells the waiting worker that it can dial. */
  publishReady(): Promise<void>;
  /** Sets attributes of the agent. All participants can see them. */
  setAttributes(attributes: Readonly<Record<string, string>>): Promise<void>;
  /** Queues audio. Resolves when the queue has room for more. */
  send(samples: Samples): Promise<void>;
  /** Milliseconds of queued audio that has not been played yet. */
  readonly queuedMs: number;
  /** Drops all queued audio that has not been played yet. */
  clearQueue(): void;
  /** Resolves when the audio has been played or aborted. */
  play(samples: Samples, signal: AbortSignal): Promise<void>;
  /**
   * Milliseconds since the newest audio packet, including silence. Null when none has arrived. Rejects when LiveKit's statistics are
   * unavailable.
   */
  sinceAudioMs(): Promise<number | null>;
  /** Sends text to participants that show captions, such as the browser of a session. */
  caption(text: string): Promise<void>;
  saveMetadata(metadata: string): Promise<void>;
  /**
   * Hangs up the phone, and rejects when it could not be removed. Returns false when its SIP bridge does not confirm, because the phone may
   * then still be connected.
   */
  hangUp(identity: string): Promise<boolean>;
  /** Removes a participant that is not a phone. */
  remove(identity: string): Promise<void>;
  /** Transfers a phone call to another number. Rejects when the network rejects the transfer. */
  transfer(identity: string, to: string): Promise<void>;
  /** Deletes the room and removes all participants. */
  delete(): Promise<void>;
  leave(): Promise<void>;
}
