/**
 * The effect of each trigger on a campaign in every status. `test/api/state-machine/requests.test.ts` checks requests over HTTP,
 * `test/db/state-machine.test.ts` the engine's own transitions.
 */
import type { CampaignStatus } from '../../../domain/campaign-status';

export const STATUSES = [
  'scheduled',
  'active',
  'paused',
  'paused_out_of_range',
  'completed',
  'cancelled',
] as const satisfies readonly CampaignStatus[];

/** `a → b` stands for `campaign.status_changed` with its old and new status. */
type Webhook = `${string} → ${string}` | 'campaign.completed' | 'campaign.cancelled';

export interface Transition {
  next: CampaignStatus;
  webhooks: readonly Webhook[];
  /** True if a call that holds a line may be dialled afterwards, while the window is open. */
  dials: boolean;
}

type OfEachStatus<T> = Record<CampaignStatus, T>;

const to = (next: CampaignStatus, webhooks: readonly Webhook[] = [], dials = false): Transition => ({
  next,
  webhooks,
  dials,
});
const stays = (status: CampaignStatus): Transition => to(status, [], status === 'active');
const unchanged: OfEachStatus<Transition> = {
  scheduled: stays('scheduled'),
  active: stays('active'),
  paused: stays('paused'),
  paused_out_of_range: stays('paused_out_of_range'),
  completed: stays('completed'),
  cancelled: stays('cancelled'),
};

/** A request that a person makes about a campaign. */
export interface Request {
  method: 'POST' | 'PUT';
  path: '' | '/pause' | '/resume' | '/cancel';
  json?: object;
}

export const REQUESTS = {
  pause: { method: 'POST', path: '/pause' },
  resume: { method: 'POST', path: '/resume' },
  cancel: { method: 'POST', path: '/cancel' },
  'an update': { method: 'PUT', path: '', json: { retry_delay_mins: 5 } },
  'an invalid update': { method: 'PUT', path: '', json: { concurrency: 11 } },
  'an update without a field': { method: 'PUT', path: '', json: {} },
} as const satisfies Record<string, Request>;
export type RequestName = keyof typeof REQUESTS;

export interface Answered extends Transition {
  /** The status, followed by the error code of a rejection. */
  answer: '200' | `${number} ${string}`;
}

const ok = (transition: Transition): Answered => ({ ...transition, answer: '200' });
const refused = (status: CampaignStatus, answer: Answered['answer']): Answered => ({
  ...unchanged[status],
  answer,
});
const notEditable = (status: CampaignStatus) => refused(status, '409 CAMPAIGN_NOT_EDITABLE');
const notPaused = (status: CampaignStatus) => refused(status, '409 CAMPAIGN_NOT_PAUSED');
const exceeded = (status: CampaignStatus) => refused(status, '400 CONCURRENCY_EXCEEDED');
const empty = (status: CampaignStatus) => refused(status, '400 NO_FIELDS_TO_UPDATE');

const PAUSED = ok(to('paused', ['active → paused']));
const CANCELLED = ok(to('cancelled', ['active → cancelled']));

export const ANSWERS: Record<RequestName, OfEachStatus<Answered>> = {
  pause: {
    scheduled: PAUSED,
    active: PAUSED,
    paused: ok(stays('paused')),
    paused_out_of_range: PAUSED,
    completed: notEditable('completed'),
    cancelled: notEditable('cancelled'),
  },
  resume: {
    scheduled: notPaused('scheduled'),
    active: notPaused('active'),
    paused: ok(to('active', ['paused → active'], true)),
    paused_out_of_range: notPaused('paused_out_of_range'),
    completed: notPaused('completed'),
    cancelled: notPaused('cancelled'),
  },
  cancel: {
    scheduled: CANCELLED,
    active: CANCELLED,
    paused: ok(to('cancelled', ['paused → cancelled'])),
    paused_out_of_range: CANCELLED,
    completed: notEditable('completed'),
    cancelled: ok(stays('cancelled')),
  },
  'an update': {
    scheduled: PAUSED,
    active: PAUSED,
    paused: ok(stays('paused')),
    paused_out_of_range: PAUSED,
    completed: notEditable('completed'),
    cancelled: notEditable('cancelled'),
  },
  // A rejected update changes nothing; it doesn't even pause the campaign.
  'an invalid update': {
    scheduled: exceeded('scheduled'),
    active: exceeded('active'),
    paused: exceeded('paused'),
    paused_out_of_range: exceeded('paused_out_of_range'),
    completed: notEditable('completed'),
    cancelled: notEditable('cancelled'),
  },
  'an update without a field': {
    scheduled: empty('scheduled'),
    active: empty('active'),
    paused: empty('paused'),
    paused_out_of_range: empty('paused_out_of_range'),
    completed: empty('completed'),
    cancelled: empty('cancelled'),
  },
};

/**
 * The campaign's situation when its workflow runs. `nothing left` means nothing to dial and no live call, in
 * an open window.
 */
export type Situation =
  'before its first day' | 'window open' | 'window closed' | 'past its last day' | 'nothing left';

const SCHEDULED = to('scheduled');
const DIALS = to('active', [], true);
const RESTS = to('paused_out_of_range');
const COMPLETED = to('completed', ['active → completed', 'campaign.completed']);
const WITHDRAWN = to('cancelled', ['campaign.cancelled']);
const ENDED = to('completed');

/** In every situation but the last, some contacts haven't been dialled. */
export const ENGINE: Record<Situation, OfEachStatus<Transition>> = {
  'before its first day': {
    scheduled: SCHEDULED,
    active: SCHEDULED,
    paused: stays('paused'),
    paused_out_of_range: SCHEDULED,
    completed: ENDED,
    cancelled: WITHDRAWN,
  },
  'window open': {
    scheduled: DIALS,
    active: DIALS,
    paused: stays('paused'),
    paused_out_of_range: DIALS,
    completed: ENDED,
    cancelled: WITHDRAWN,
  },
  'window closed': {
    scheduled: RESTS,
    active: RESTS,
    paused: stays('paused'),
    paused_out_of_range: RESTS,
    completed: ENDED,
    cancelled: WITHDRAWN,
  },
  'past its last day': {
    scheduled: COMPLETED,
    active: COMPLETED,
    // A person can still extend the dates of a paused campaign.
    paused: stays('paused'),
    paused_out_of_range: COMPLETED,
    completed: ENDED,
    cancelled: WITHDRAWN,
  },
  'nothing left': {
    scheduled: COMPLETED,
    active: COMPLETED,
    paused: to('completed', ['paused → completed', 'campaign.completed']),
    paused_out_of_range: COMPLETED,
    completed: ENDED,
    cancelled: WITHDRAWN,
  },
};

const PAUSED_BY_BREAKER = to('paused', ['active → paused']);
const CANCELLED_FROM_WITHIN = to('cancelled', ['active → cancelled']);

/** Events that stop a campaign although no API client requested it. */
export const FROM_WITHIN: Record<
  | 'a spend limit'
  | 'a spend limit of its organization'
  | 'cancelled in the Web UI'
  | 'terminated in the Web UI',
  OfEachStatus<Transition>
> = {
  'a spend limit': {
    ...unchanged,
    scheduled: PAUSED_BY_BREAKER,
    active: PAUSED_BY_BREAKER,
    paused_out_of_range: PAUSED_BY_BREAKER,
  },
  // A campaign that isn't dialling checks its limits only when its window opens.
  'a spend limit of its organization': { ...unchanged, active: PAUSED_BY_BREAKER },
  'cancelled in the Web UI': {
    ...unchanged,
    scheduled: CANCELLED_FROM_WITHIN,
    active: CANCELLED_FROM_WITHIN,
    paused: to('cancelled', ['paused → cancelled']),
    paused_out_of_range: CANCELLED_FROM_WITHIN,
  },
  'terminated in the Web UI': {
    ...unchanged,
    scheduled: CANCELLED_FROM_WITHIN,
    active: CANCELLED_FROM_WITHIN,
    paused: to('cancelled', ['paused → cancelled']),
    paused_out_of_range: CANCELLED_FROM_WITHIN,
  },
};

/** Maps a campaign's status to the status in its latest webhook. Webhooks report only four statuses. */
export const LAST_REPORTED: OfEachStatus<string> = {
  scheduled: 'active',
  active: 'active',
  paused: 'paused',
  paused_out_of_range: 'active',
  completed: 'completed',
  cancelled: 'cancelled',
};
