/** Values of the carrier protocol, spelled as in its messages. */

export type CallState = 'accepted' | 'dialing' | 'ringing' | 'answered' | 'ended';

export type EndReason =
  | 'agent'
  | 'callee'
  | 'platform'
  | 'no_answer'
  | 'busy'
  | 'rejected'
  | 'invalid_number'
  | 'carrier_failure'
  | 'max_talk'
  | 'dropped';

export type AnsweredBy = 'human' | 'machine' | 'unknown';

export type EventType = 'inbound' | 'dialing' | 'ringing' | 'answered' | 'segment' | 'ended';

/** `start_ms` and `end_ms` count from the answer. */
export interface Segment {
  speaker: 'agent' | 'user';
  text: string;
  start_ms: number;
  end_ms: number;
}

export interface CarrierAgent {
  name: string;
  greeting: string;
  prompt: string;
}

export interface CallRequest {
  reference: string;
  to: string;
  from: string | null;
  not_after: string;
  ring_timeout_s: number;
  max_talk_s: number;
  amd: boolean;
  events_url: string;
  agent: CarrierAgent;
  variables: Record<string, unknown>;
}

/** Defines where the simulator reports calls to one of our numbers, and which agent answers them. */
export interface InboundRoute {
  events_url: string;
  agent: CarrierAgent;
}

export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
