/**
 * Handwritten mutants of the dialling code. Each removes something that a careless change could remove. Most show only after a crash, a
 * late message or a duplicate. `--mutants` runs the simulation on them.
 */
import { type DialMutant, IN_POLICIES, IN_WORKFLOWS } from './workflow-mutants';

const START_DIAL = 'db/functions/start_dial.sql';
const RETURN_LINE = 'db/functions/return_line.sql';
const CLAIM_PAGE = 'db/functions/claim_page.sql';
const END_CALLS = 'db/functions/end_calls.sql';
const WITHDRAW_REST = 'db/functions/withdraw_rest.sql';
const REGISTER_WAITING = 'db/functions/register_waiting.sql';
const ENGINE = 'db/calls/engine.ts';
const DIALLING = 'activities/dialling/dialling.ts';
const LINES = 'activities/dialling/lines.ts';
const STEPS = 'activities/campaigns/steps.ts';
const CALL_ENDING = 'activities/ending/call-ending.ts';
const ATTENDING = 'activities/ending/attending.ts';
const RESOLVING = 'activities/ending/resolving.ts';
const CONCLUDING = 'activities/ending/concluding.ts';

const IN_SQL: readonly DialMutant[] = [
  {
    name: 'a dial after an unplaced one counts its contact as in progress again',
    file: START_DIAL,
    from: `where id = k.contact_id and state = 'pending';`,
    to: 'where id = k.contact_id;',
  },
  {
    name: 'a phone may ring after the window',
    file: START_DIAL,
    from: 'p_not_after := least(p_not_after, p_not_after',
    to: 'p_not_after := coalesce(p_not_after, p_not_after',
  },
  {
    name: 'a call that was hung up during the carrier request is requested again',
    file: START_DIAL,
    from: 'if k.hang_up_requested_at is not null then',
    to: 'if false then',
  },
  {
    name: 'a late step returns the line of a call whose carrier request is in progress',
    file: RETURN_LINE,
    from: `where call_id = p_call and stage = 'granted';`,
    to: `where call_id = p_call and stage in ('granted', 'requested');`,
  },
  {
    name: 'a returned line is not granted to another call',
    file: RETURN_LINE,
    from: 'to_jsonb(grant_lines(k.organization_id, p_now))',
    to: `'[]'::jsonb`,
  },
  {
    name: 'a returned line leaves its contact counted as in progress',
    file: RETURN_LINE,
    from: 'if found then update campaigns set in_progress_contacts = in_progress_contacts - 1 where id = k.campaign_id; end if;',
    to: '',
  },
  {
    name: 'a page claimed again after a crash omits the calls claimed before',
    file: CLAIM_PAGE,
    from: `where k.campaign_id = p_campaign and k.stage = 'claimed')`,
    to: `where k.campaign_id = p_campaign and k.stage = 'claimed' and k.accepted_at = p_now)`,
  },
  {
    name: "the delay before a redial counts from the carrier's clock",
    file: END_CALLS,
    from: 'then said.said_at + make_interval',
    to: 'then said.ended + make_interval',
  },
  {
    name: 'the last report of a call in a batch wins',
    file: END_CALLS,
    from: 'order by call_id, nth\n  ), standing',
    to: 'order by call_id, nth desc\n  ), standing',
  },
  {
    name: 'an intent without a call before a cancel counts as an attempt',
    file: END_CALLS,
    from: `case when k.stage = 'granted' and said.end_reason = 'cancelled' then null else k.requested_at end`,
    to: 'k.requested_at',
  },
  {
    name: 'a contact of a cancelled campaign gets a redial',
    file: END_CALLS,
    from: ` and c.status <> 'cancelled'`,
    to: '',
  },
  {
    name: 'a second report ends a call again',
    file: END_CALLS,
    from: `where k.stage || '' <> 'over'`,
    to: `where k.stage || '' <> ''`,
  },
  {
    name: 'a call with a line is not withdrawn with the rest of its campaign',
    file: WITHDRAW_REST,
    from: `stage in ('claimed', 'waiting', 'granted') returning`,
    to: `stage in ('claimed', 'waiting') returning`,
  },
  {
    name: 'registering a page again puts calls with a line back into the queue',
    file: REGISTER_WAITING,
    from: `stage || '' = 'claimed'`,
    to: `stage || '' in ('claimed', 'granted')`,
  },
];

const IN_ACTIVITIES: readonly DialMutant[] = [
  {
    name: 'the late answer to an earlier request undoes a later intent',
    file: ENGINE,
    from: ` and stage = 'requested' and not_after = :notAfter`,
    to: ` and stage = 'requested' and :notAfter::timestamptz is not null`,
  },
  {
    name: 'the reply to a dial revives a finished call',
    file: ENGINE,
    from: `stage = case when stage = 'requested' then 'placed' else stage end`,
    to: `stage = 'placed'`,
  },
  {
    name: 'a request with a lost reply counts as not placed',
    file: DIALLING,
    from: `    case 'unknown':\n      return { kind: 'unknown', dialAgainAfterMs: LOOK_UP_AGAIN_MS };`,
    to: `    case 'unknown':\n      await calls.recordNotPlaced(db, callId, notAfter);\n      return UNAVAILABLE;`,
  },
  {
    name: 'a look-up that misses a call counts at once',
    file: DIALLING,
    from: 'if (isPast && hasWaited)',
    to: 'if (isPast || hasWaited)',
  },
  {
    name: "a look-up that misses a call counts by the carrier's clock alone",
    file: DIALLING,
    from: 'if (isPast && hasWaited)',
    to: 'if (isPast)',
  },
  {
    name: 'a look-up that misses a call counts by our clock alone',
    file: DIALLING,
    from: 'if (isPast && hasWaited)',
    to: 'if (hasWaited)',
  },
  {
    name: "the carrier's look-up is taken not to lag",
    file: DIALLING,
    from: '> notAfter + answer.lagMs;',
    to: '> notAfter;',
  },
  {
    name: 'the workflow waits for a call that a look-up found over',
    file: DIALLING,
    from: `return found.state === 'ended' ? over(dial, endFactsOf(found, now)) : step;`,
    to: 'return step;',
  },
  {
    name: 'a window is judged by the time before the carrier answered',
    file: DIALLING,
    from: 'workflowTimeNow(input.now + dial.waitedMs, deps.clock);',
    to: 'input.now + dial.waitedMs;',
  },
  {
    name: 'a call that may not dial keeps its line',
    file: DIALLING,
    from: `  await signalWorkflows(signals, log, await calls.returnLine(db, dial.callId, dial.now));\n  return undialled`,
    to: '  return undialled',
  },
  {
    name: 'a call waits for a line that an earlier run already got',
    file: LINES,
    from: `stage !== undefined && stage !== 'waiting'`,
    to: `stage !== undefined && decision.granted.includes(input.callId)`,
  },
  {
    name: 'a call that ended before its registration is not signalled',
    file: STEPS,
    from: '      await signalEnded(deps, input.callIds);\n',
    to: '',
  },
  {
    name: 'a second report of an end decides the status of the workflow',
    file: CALL_ENDING,
    from: 'return state?.callStatus ?? WITHOUT_ROW;',
    to: 'return state === undefined ? WITHOUT_ROW : end.callStatus;',
  },
  {
    name: 'a stop ends a call whose carrier request is in progress',
    file: RESOLVING,
    from: `if (state.stage !== 'requested' && state.stage !== 'placed')`,
    to: `if (state.stage !== 'placed')`,
  },
  {
    name: 'a stop ends a call that a look-up misses',
    file: RESOLVING,
    from: `return found.kind === 'call' ? hangUp(deps, found.call.carrierId, state, { now }) : null;\n    },\n\n    /** Looks up`,
    to: `return found.kind === 'call' ? hangUp(deps, found.call.carrierId, state, { now }) : endCallAs(deps, callId, endedAt(now, 'cancelled'), now);\n    },\n\n    /** Looks up`,
  },
  {
    name: 'a call that the carrier does not know is over even if its request may still arrive',
    file: RESOLVING,
    from: `if (found.kind === 'gone' && state.stage === 'placed')`,
    to: `if (found.kind === 'gone')`,
  },
  {
    name: 'an overdue call is given up at the first look-up',
    file: ATTENDING,
    from: 'giveUp: lookUps + 1 >= RESOLVE_ATTEMPTS',
    to: 'giveUp: true',
  },
  {
    name: 'a hang-up during the placement of a call waits for the deadline',
    file: ATTENDING,
    from: 'return state.isHangUpRequested ? resolving.stopCall({ callId, now }) : null;',
    to: 'return null;',
  },
  {
    name: 'two workers that conclude a call at once both attempt its webhook',
    file: CONCLUDING,
    from: 'isFirst ? attemptInSlot',
    to: 'true ? attemptInSlot',
  },
];

export const DIAL_MUTANTS: readonly DialMutant[] = [
  ...IN_SQL,
  ...IN_ACTIVITIES,
  ...IN_POLICIES,
  ...IN_WORKFLOWS,
];
