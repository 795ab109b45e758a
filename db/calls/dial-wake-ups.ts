/** Wakes workers to dial calls that have just got a line. */
import type { Db } from '../kernel/connection';
import { prepared, rows, timestamp } from '../kernel/query';

/** Each worker listens on a channel of its own. Its connection's application name shows that it listens. */
const CHANNEL = 'dials_';
const LISTENER = 'worker dials ';

export const dialListener = (workerId: string): { channel: string; applicationName: string } => ({
  channel: CHANNEL + workerId,
  applicationName: LISTENER + workerId,
});

export const callIdsIn = (payload: string): string[] => payload.split(' ');

/** Most calls whose ids fit into one notification. */
export const CALLS_PER_WAKE_UP = 100;

/** `pg_stat_activity` without the joins that it makes for other columns. */
const LISTENERS = `select substr(application_name, ${LISTENER.length + 1}) as worker from pg_stat_get_activity(null)
  where application_name like '${LISTENER}%' and datid = (select oid from pg_database where datname = current_database())`;

const WAKE_WORKERS = prepared(
  'wake_workers',
  `with listening as (
     select worker, row_number() over (order by random()) as place, count(*) over () as total from (${LISTENERS}) l
   ), sent as (
     select l.worker, string_agg(call_id, ' ' order by nth) as payload, array_agg(call_id) as call_ids
       from unnest(:callIds::text[]) with ordinality as granted (call_id, nth) join listening l on l.place = 1 + nth % l.total
       group by l.worker
   )
   -- A notification needs no wait for the disk, because a crash loses it in any case.
   select worker, call_ids as "callIds", pg_notify('${CHANNEL}' || worker, payload), set_config('synchronous_commit', 'off', true) from sent`,
);

export interface WokenWorker {
  worker: string;
  callIds: string[];
}

/** Spreads the calls over the workers that listen. Returns an empty list if there are none. */
export function wakeWorkers(db: Db, callIds: readonly string[]): Promise<WokenWorker[]> {
  return rows<WokenWorker>(db, WAKE_WORKERS, { callIds: [...callIds] });
}

export interface UndialledCall {
  callId: string;
  /** A run has written the intent of a dial. */
  isRequested: boolean;
  /** The woken worker still listens. */
  isListening: boolean;
  /** The woken worker waits for the agent or the do-not-disturb registry. */
  isPreparing: boolean;
}

/** Returns those of the calls whose dial has no result yet. */
export function undialled(
  db: Db,
  woken: readonly { callId: string; worker: string }[],
  now: number,
): Promise<UndialledCall[]> {
  return rows<UndialledCall>(
    db,
    // The expression keeps the planner from reading all live calls by their stage.
    `select k.call_id as "callId", k.stage = 'requested' as "isRequested", w.worker in (${LISTENERS}) as "isListening",
       coalesce(k.preparing_until > :now, false) as "isPreparing"
     from jsonb_to_recordset(:woken) as w ("callId" text, worker text)
     join calls k on k.call_id = w."callId" and k.stage || '' in ('granted', 'requested')`,
    { woken: JSON.stringify(woken), now: timestamp(now) },
  );
}
