import type { CallDirection, CallMedium, CallType, PostProcessingStatus } from '../../domain/call';
import { PROGRESS_STATUSES, type CallStatus, type EndReason } from '../../domain/call-outcome';
import type { TranscriptSegment } from '../../domain/transcript';
import type { Filters } from '../kernel/conditions';
import type { Db } from '../kernel/connection';
import {
  batchesOf,
  collected,
  type Listed,
  type Page,
  type StreamedPage,
  organizationPage,
  within,
} from '../kernel/list-page';
import { firstRow, rows, onlyRow, timestamp } from '../kernel/query';
import { firstMonthFrom, inMonthsOf } from './months';
import { MAX_COUNTED } from '../../domain/count-limits';

export interface CallSegment extends TranscriptSegment {
  /** The caller or callee interrupted it. */
  interrupted: boolean;
}

export interface RecordedCall {
  callId: string;
  organizationId: string;
  organizationName: string;
  agentId: string;
  agentName: string;
  medium: CallMedium;
  callType: CallType;
  direction: CallDirection;
  callStatus: CallStatus;
  name: string | null;
  fromNumber: string | null;
  toNumber: string | null;
  metadata: Record<string, unknown>;
  acceptedAt: Date;
  dialingAt: Date | null;
  ringingAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  durationMs: number;
  callCost: number;
  postProcessingStatus: PostProcessingStatus;
  summary: string | null;
  entity: Record<string, unknown> | null;
  evalTag: string | null;
  conversationEval: Record<string, unknown> | null;
  conversationQuality: Record<string, unknown> | null;
  /** The person asked not to be called again. */
  doNotCall: boolean;
  callbackRequested: boolean;
  callbackId: string | null;
  callbackStatus: string | null;
  /** Set while the call is orphaned. */
  lineKeptUntil: Date | null;
  over: boolean;
  hasRecording: boolean;
  /** The transcript, in order. */
  segments: CallSegment[];
}

const CALL = `select k.call_id as "callId", k.organization_id as "organizationId", c.name as "organizationName", k.agent_id as "agentId",
  a.display_name as "agentName", k.medium, k.call_type as "callType", k.direction, k.call_status as "callStatus", k.name,
  k.from_number as "fromNumber", k.to_number as "toNumber", k.metadata, k.accepted_at as "acceptedAt",
  k.dialing_at as "dialingAt", k.ringing_at as "ringingAt", k.answered_at as "answeredAt", k.ended_at as "endedAt",
  k.duration_ms as "durationMs", k.call_cost as "callCost", k.post_processing_status as "postProcessingStatus", k.summary,
  k.entity, k.eval_tag as "evalTag", k.conversation_eval as "conversationEval",
  k.conversation_quality as "conversationQuality", k.callback_requested as "callbackRequested", k.do_not_call as "doNotCall",
  k.callback_id as "callbackId", k.callback_status as "callbackStatus", k.stage = 'over' as over,
  case when k.stage <> 'over' then k.line_kept_until end as "lineKeptUntil",
  exists (select 1 from recordings r where r.call_id = k.call_id) as "hasRecording", said.segments`;

/** `ids` is an SQL array of the ids of the calls to read. */
const fromCalls = (ids: string): string => `from all_calls k join organizations c on c.id = k.organization_id
  join agents a on a.id = k.agent_id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('speaker', s.speaker, 'text', s.text, 'startMs', s.start_ms, 'endMs', s.end_ms,
                                                 'interrupted', s.interrupted)
                              order by s.start_ms, s.speaker), '[]'::jsonb) as segments
    from all_call_segments s where s.call_id = k.call_id and ${inMonthsOf('s', ids)}
  ) said
  where ${inMonthsOf('k', ids)}`;

/** Statuses whose `final_status` is null. */
const OPEN_STATUSES: readonly string[] = PROGRESS_STATUSES;

/** Open calls have their own partial index; all others are found by the index of the final status. */
function statusFilter(status: string | undefined): Filters {
  return status !== undefined && OPEN_STATUSES.includes(status)
    ? { "month is null and final_status is null and stage <> 'over' and call_status = :status": status }
    : { 'final_status = :status': status };
}

const filtersOf = (filter: CallFilter): Filters => ({
  'agent_id = :agentId': filter.agentId,
  'campaign_id = :campaignId': filter.campaignId,
  'call_id = :callId': filter.callId,
  [inMonthsOf('all_calls', 'array[:callId]')]: filter.callId,
  ...statusFilter(filter.status),
  'accepted_at >= :from': filter.from,
  '(month is null or month >= :fromMonth)': filter.from && firstMonthFrom(Date.parse(filter.from)),
  'accepted_at < :to': filter.to,
});

/** Returns a page of calls, newest first. */
export async function callPage(db: Db, filter: CallFilter, page: Page): Promise<StreamedPage<RecordedCall>> {
  const { organizationId, search } = filter;
  const rowsOf = (callIds: string[]): Promise<RecordedCall[]> =>
    rows(
      db,
      `${CALL} ${fromCalls(':callIds')} and k.organization_id = :organizationId and k.call_id = any(:callIds)
       order by k.accepted_at desc, k.call_id desc`,
      { organizationId, callIds },
    );
  if (search !== undefined) {
    const { total, callIds } = await searchCalls(db, { ...filter, search }, page);
    return { total, batches: await batchesOf(callIds, rowsOf) };
  }
  const list = {
    table: 'all_calls',
    kept: 'calls',
    key: 'call_id',
    at: 'accepted_at',
    organizationId,
  } as const;
  return organizationPage<RecordedCall>(db, { ...list, filters: filtersOf(filter) }, page, rowsOf);
}

export const listCalls = async (db: Db, filter: CallFilter, page: Page): Promise<Listed<RecordedCall>> =>
  collected(await callPage(db, filter, page));

/** Pass a null `organizationId` only for signed URLs, which only the call's owner receives. */
export function findCall(
  db: Db,
  callId: string,
  organizationId: string | null,
): Promise<RecordedCall | undefined> {
  return firstRow<RecordedCall>(
    db,
    `${CALL} ${fromCalls('array[:callId]')} and k.call_id = :callId and (:organizationId::uuid is null or k.organization_id = :organizationId::uuid)`,
    { callId, organizationId },
  );
}

export interface CallFilter {
  organizationId: string;
  agentId?: string;
  campaignId?: string;
  callId?: string;
  status?: string;
  /** ISO instant; calls accepted at or after it. */
  from?: string;
  /** ISO instant; calls accepted before it. */
  to?: string;
  /** Words that must all occur in the transcript. */
  search?: string;
}

interface FoundCalls {
  /** At most 10,000. */
  total: number;
  /** Ids on the page, newest first. */
  callIds: string[];
}

/** Finds concluded calls by whole words, in any case and order. Open statuses match no call. */
export async function searchCalls(
  db: Db,
  filter: CallFilter & { search: string },
  page: Page,
): Promise<FoundCalls> {
  const found = await onlyRow<FoundCalls>(
    db,
    `select (found).total, (found).call_ids as "callIds"
     from (select search_calls(:organizationId, :agentId, :campaignId, :status, :search, :callId, :from, :to, :limit, :offset) as found) one`,
    {
      organizationId: filter.organizationId,
      agentId: filter.agentId ?? null,
      campaignId: filter.campaignId ?? null,
      status: filter.status ?? null,
      search: filter.search,
      callId: filter.callId ?? null,
      from: filter.from ?? null,
      to: filter.to ?? null,
      limit: page.limit,
      offset: Math.min(page.offset, MAX_COUNTED),
    },
  );
  within(page, found.total);
  return found;
}

export interface EndedDial {
  endReason: EndReason;
  endedAt: Date;
}

/** Returns up to `max` dialled phone calls of the organization that ended after `since`, newest first. */
export function recentDials(
  db: Db,
  organizationId: string,
  since: number,
  max: number,
): Promise<EndedDial[]> {
  return rows<EndedDial>(
    db,
    `select end_reason as "endReason", ended_at as "endedAt" from all_calls
     where organization_id = :organizationId and stage = 'over' and ended_at > :since
       and medium = 'telephony' and direction = 'Outbound' and requested_at is not null
     order by ended_at desc, call_id desc limit :max`,
    { organizationId, since: timestamp(since), max },
  );
}
