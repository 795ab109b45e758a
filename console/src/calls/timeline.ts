import type { Call, CampaignOutcome, WebhookDelivery } from '../../../sdk/typescript/generated';
import { durationOf } from '../format/time';

export interface TimelineEntry {
  /** Null if only the order is known. */
  at: string | null;
  what: string;
  tone: 'good' | 'live' | 'wait' | 'bad' | '';
}

/** An entry with its sort key. */
type SortableEntry = readonly [ms: number, entry: TimelineEntry];

/** Lists all known events of a call and its webhook attempts in chronological order. */
export function timelineOf(call: Call, deliveries: readonly WebhookDelivery[]): TimelineEntry[] {
  const entries = [...steps(call), ...talk(call), ...end(call), ...deliveries.flatMap(webhookAttempts)];
  return entries.sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

const happened = (at: string | null, what: string, tone: TimelineEntry['tone'] = ''): SortableEntry[] =>
  at === null ? [] : [[Date.parse(at), { at, what, tone }]];

const steps = (call: Call): SortableEntry[] => [
  ...happened(call.Start_time, 'Accepted'),
  ...happened(call.call_dialing_at, 'Dialled'),
  ...happened(call.call_ringing_at, 'Rang', 'live'),
  ...happened(call.user_picked_up_at, 'Answered', 'good'),
];

/** Lists interruptions and actions in the conversation. The transcript's times are relative to the answer. */
function talk({ user_picked_up_at: answered, chat_history: lines }: Call): SortableEntry[] {
  if (answered === null) return [];
  const at = (ms: number): string => new Date(Date.parse(answered) + ms).toISOString();
  return lines.flatMap(({ role, content, start_ms: from, end_ms: until, interrupted }) => {
    if (role === 'tool') return happened(at(from), `Action: ${content}`, 'live');
    return role === 'agent' && interrupted
      ? happened(
          at(until),
          `The person interrupted the agent (${durationOf(until)} into the conversation)`,
          'wait',
        )
      : [];
  });
}

/** Lists the end of the call and the entries without a time, such as the person's requests and the findings. */
function end(call: Call): SortableEntry[] {
  const endedMs = call.End_time === null ? Infinity : Date.parse(call.End_time);
  const noted = (condition: boolean, what: string, tone: TimelineEntry['tone'] = ''): SortableEntry[] =>
    condition ? [[endedMs, { at: null, what, tone }]] : [];
  return [
    ...noted(call.do_not_call, 'The person asked not to be called again', 'wait'),
    ...noted(call.callback_requested, callbackOf(call), 'wait'),
    ...noted(
      call.End_time === null && call.line_kept_until !== null,
      'The platform lost track of the phone. The phone may still be ringing or connected, so the call keeps its line',
      'bad',
    ),
    ...happened(call.End_time, `Ended: ${endOf(call)}`, endTone(call)),
    ...noted(call.End_time !== null && call.post_processing_status === 'processing', 'Analysis in progress'),
    ...noted(call.End_time !== null && call.post_processing_status === 'completed', 'Findings ready'),
  ];
}

function callbackOf({ callback_status: status }: Call): string {
  return `The person asked for a callback${status === null ? '' : ` (${status})`}`;
}

/** How a call ended, by final status. */
const ENDS: Readonly<Record<CampaignOutcome['call_status'], string> & Record<string, string>> = {
  completed: 'hung up by the agent or the platform',
  'User disconnected': 'the person hung up',
  voicemail: 'an answering machine picked up',
  'no answer': 'no answer',
  busy: 'busy',
  rejected: 'the person rejected the call',
  failed: 'the call couldn’t be placed',
  error: 'the call was lost, or the carrier rejected it',
  DND: 'not dialled, because the number is on a do-not-disturb list or a list couldn’t be checked',
  cancelled: 'cancelled',
  expired: 'not dialled, because no line became free before the deadline or the last calling window closed',
};

const endOf = ({ call_status: status }: Call): string => ENDS[status] ?? status;

function endTone({ call_status: status }: Call): TimelineEntry['tone'] {
  if (status === 'completed' || status === 'User disconnected') return 'good';
  return status === 'failed' || status === 'error' || status === 'rejected' ? 'bad' : 'wait';
}

function webhookAttempts(delivery: WebhookDelivery): SortableEntry[] {
  const { event, status, attempts, next_attempt_at: next } = delivery;
  return [
    ...attempts.flatMap(({ attempt, at, status_code: code, error }) => {
      const isDelivered = code !== null && code >= 200 && code < 300;
      const result = code === null ? (error ?? 'no response') : isDelivered ? 'delivered' : `HTTP ${code}`;
      return happened(at, `Webhook ${event}, attempt ${attempt}: ${result}`, isDelivered ? 'good' : 'bad');
    }),
    ...(status === 'pending'
      ? happened(next, `Webhook ${event}: ${attempts.length === 0 ? 'first' : 'next'} attempt due`, 'wait')
      : []),
  ];
}
