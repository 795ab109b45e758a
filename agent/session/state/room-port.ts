/** The interface of a LiveKit room that conversations use. `livekit/` implements it, and tests have a fake. */
import type { Samples } from '../../audio/pcm';

export interface Participant {
  identity: string;
  isSip: boolean;
  /** Another of our agent processes. */
  isAgent: boolean;
  attributes: Readonly<Record<string, string>>;
}

export type RoomEvent =
  /** The participant joined, was present when listening began, or changed its attributes. */
  | { kind: 'participant'; participant: Participant }
  /** `reason` is LiveKit's, such as CLIENT_INITIATED. */
  | { kind: 'left'; participant: Participant; reason: string }
  | { kind: 'audio'; participant: Participant; samples: Samples }
  /** A participant sent a chat message. */
  | { kind: 'text'; participant: Participant; text: string }
  /**
   * The agent is no longer in the room: the room was deleted, the agent was removed, or its connection, lost at `lostAt`, could not be
   * restored.
   */
  | { kind: 'closed'; reason: string; lostAt?: number };

export interface ConversationRoom {
  readonly name: string;
  /** The agent's own identity, known once it has joined. */
  readonly identity: string;
  /** Current metadata of the room; empty when there is none. */
  readonly metadata: string;
  join(): Promise<void>;
  /** First emits the participants that are already present. */
  listen(listener: (event: RoomEvent) => void): void;
  /** Publishes the agent's audio track. A caller's phone stops ringing then. */
  publishVoice(): Promise<void>;
  /** Signals the waiting worker that it may dial. */
  publishReady(): Promise<void>;
  /** Sets attributes of the agent, which every participant can see. */
  setAttributes(attributes: Readonly<Record<string, string>>): Promise<void>;
  /** Queues audio. Resolves when there is room for more. */
  send(samples: Samples): Promise<void>;
  /** Queued audio that has not been played yet, in milliseconds. */
  readonly queuedMs: number;
  /** Drops queued audio that has not been played yet. */
  clearQueue(): void;
  /** Resolves when the audio was played or cut short. */
  play(samples: Samples, signal: AbortSignal): Promise<void>;
  /**
   * Milliseconds since the newest audio packet, silence included; null when none has arrived. Rejects when LiveKit's statistics are
   * unavailable.
   */
  sinceAudioMs(): Promise<number | null>;
  /** Sends text to participants that show captions, such as the browser of a session. */
  caption(text: string): Promise<void>;
  saveMetadata(metadata: string): Promise<void>;
  /**
   * Hangs up the phone, and rejects when it could not be removed. Returns false when its SIP bridge does not confirm, so the phone may
   * still be connected.
   */
  hangUp(identity: string): Promise<boolean>;
  /** Removes a participant that is not a phone. */
  remove(identity: string): Promise<void>;
  /** Transfers a phone call to another number. Rejects when the network refuses. */
  transfer(identity: string, to: string): Promise<void>;
  /** Deletes the room and removes every participant. */
  delete(): Promise<void>;
  leave(): Promise<void>;
}
