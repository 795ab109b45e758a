import type { Call, CampaignOutcome, WebhookDelivery } from '../../../sdk/typescript/generated';
import { durationOf } from '../format/time';

export interface TimelineEntry {
  /** Null if only the order is known. */
  at: string | null;
  what: string;
  tone: 'good' | 'live' | 'wait' | 'bad' | '';
}

/** An entry with its sort key. */
type Placed = readonly [ms: number, entry: TimelineEntry];

/** Lists all known events of a call and its webhook attempts in chronological order. */
export function timelineOf(call: Call, deliveries: readonly WebhookDelivery[]): TimelineEntry[] {
  const placed = [...steps(call), ...talk(call), ...end(call), ...deliveries.flatMap(attempts)];
  return placed.sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

const happened = (at: string | null, what: string, tone: TimelineEntry['tone'] = ''): Placed[] =>
  at === null ? [] : [[Date.parse(at), { at, what, tone }]];

const steps = (call: Call): Placed[] => [
  ...happened(call.Start_time, 'Accepted'),
  ...happened(call.call_dialing_at, 'Dialled'),
  ...happened(call.call_ringing_at, 'Rang', 'live'),
  ...happened(call.user_picked_up_at, 'Answered', 'good'),
];

/** Lists interruptions and actions in the conversation. The transcript's times are relative to the answer. */
function talk({ user_picked_up_at: answered, chat_history: lines }: Call): Placed[] {
  if (answered === null) return [];
  const at = (ms: number): string => new Date(Date.parse(answered) + ms).toISOString();
  return lines.flatMap(({ role, content, start_ms: from, end_ms: until, interrupted }) => {
    if (role === 'tool') return happened(at(from), `Action: ${content}`, 'live');
    return role === 'agent' && interrupted
      ? happened(
          at(until),
          `The person interrupted the agent, ${durationOf(until)} into the conversation`,
          'wait',
        )
      : [];
  });
}

/** Lists the end of the call, and the entries without a time: the person's requests and the findings. */
function end(call: Call): Placed[] {
  const endedMs = call.End_time === null ? Infinity : Date.parse(call.End_time);
  const known = (isSo: boolean, what: string, tone: TimelineEntry['tone'] = ''): Placed[] =>
    isSo ? [[endedMs, { at: null, what, tone }]] : [];
  return [
    ...known(call.do_not_call, 'The person asked not to be called again', 'wait'),
    ...known(call.callback_requested, callbackOf(call), 'wait'),
    ...known(
      call.End_time === null && call.line_kept_until !== null,
      'The phone was lost. It can still ring or be connected, so the call keeps its line',
      'bad',
    ),
    ...happened(call.End_time, `Ended: ${endOf(call)}`, endTone(call)),
    ...known(call.End_time !== null && call.post_processing_status === 'processing', 'Analysis is running'),
    ...known(call.End_time !== null && call.post_processing_status === 'completed', 'Findings ready'),
  ];
}

function callbackOf({ callback_status: status }: Call): string {
  return `The person asked for a callback${status === null ? '' : ` (${status})`}`;
}

/** How a call ended, by final status. */
const ENDS: Readonly<Record<CampaignOutcome['call_status'], string> & Record<string, string>> = {
  completed: 'hung up by the agent or the platform',
  'User disconnected': 'the person hung up',
  voicemail: 'a machine answered',
  'no answer': 'not answered',
  busy: 'busy',
  rejected: 'the person rejected the call',
  failed: 'the call could not be placed',
  error: 'lost, or rejected by the carrier',
  DND: 'on a do-not-disturb list, or the list could not be checked; not dialled',
  cancelled: 'cancelled',
  expired: 'no line or calling window in time; not dialled',
};

const endOf = ({ call_status: status }: Call): string => ENDS[status] ?? status;

function endTone({ call_status: status }: Call): TimelineEntry['tone'] {
  if (status === 'completed' || status === 'User disconnected') return 'good';
  return status === 'failed' || status === 'error' || status === 'rejected' ? 'bad' : 'wait';
}

function attempts(delivery: WebhookDelivery): Placed[] {
  const { event, status, attempts: made, next_attempt_at: next } = delivery;
  return [
    ...made.flatMap(({ attempt, at, status_code: code, error }) => {
      const isTaken = code !== null && code >= 200 && code < 300;
      const answer = code === null ? (error ?? 'no response') : isTaken ? 'delivered' : `responded ${code}`;
      return happened(at, `Webhook ${event}, attempt ${attempt}: ${answer}`, isTaken ? 'good' : 'bad');
    }),
    ...(status === 'pending'
      ? happened(next, `Webhook ${event}: ${made.length === 0 ? 'first' : 'next'} attempt is due`, 'wait')
      : []),
  ];
}
