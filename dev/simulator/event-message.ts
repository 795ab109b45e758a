import { createHash } from 'node:crypto';
import type { Call } from './call';
import { isoOf } from './clock';
import type { EventMessage } from './event-sender';
import { scriptFor } from './numbers';
import type { Step } from './plan';
import type { EventType } from './protocol';

/** Returns the event for a step, or null if the platform gets none. */
export function eventOf(call: Call, index: number, step: Step, atMs: number): EventMessage | null {
  const events = call.direction === 'outbound' ? scriptFor(call.to).events : 'in_order';
  if (step.type === 'ended' && events === 'never_ended') return null;
  const type = typeOf(call, step);
  if (call.reference === null && type !== 'inbound') return null;
  const eventId = eventIdOf(call.carrierId, index);
  const { reference } = call;
  const twice = events === 'twice_and_shuffled';
  return {
    eventId,
    type,
    carrierId: call.carrierId,
    reference,
    url: call.eventsUrl,
    body: JSON.stringify({
      event_id: eventId,
      carrier_id: call.carrierId,
      ...(reference === null ? {} : { reference }),
      to: call.to,
      from: call.from,
      type,
      at: isoOf(atMs),
      ...detailOf(step),
    }),
    copies: twice ? 2 : 1,
    shuffleSeed: twice ? `shuffle:${call.to}:${index}` : null,
  };
}

/** A caller's ringing becomes the `inbound` event, which requests a decision. The call has no reference until the platform responds. */
function typeOf(call: Call, step: Step): EventType {
  return call.direction === 'inbound' && step.type === 'ringing' ? 'inbound' : step.type;
}

function detailOf(step: Step): Record<string, unknown> {
  switch (step.type) {
    case 'dialing':
    case 'ringing':
      return {};
    case 'answered':
      return { answered_by: step.answered_by };
    case 'segment':
      return { speaker: step.speaker, text: step.text, start_ms: step.start_ms, end_ms: step.end_ms };
    case 'ended':
      return { end_reason: step.end_reason, sip_status: step.sip_status, answered_by: step.answered_by };
  }
}

/** Derives a UUID from the call and the step, so that an event keeps its id after a restart. */
function eventIdOf(carrierId: string, index: number): string {
  const hex = createHash('sha1').update(`${carrierId}:${index}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
