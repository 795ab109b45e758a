/**
 * Lists the fast suites that run a file. The quickest and those most likely to find a mutant come first, because the first failure is
 * enough. Suites that compare texts (`db/schema.test.ts`, `db/function-files.test.ts`) are left out.
 */
import { functionName } from './candidates';
import type { Mutant } from './mutant';

/** Paths inside `test/db/`. These suites run for every function, after its own. */
const ENGINE = [
  'own-rows',
  'start-dial',
  'lines',
  'claim',
  'end-call',
  'refill',
  'callbacks',
  'breakers',
  'inbound-calls',
  'hang-up',
  'browser-sessions',
  'capacity',
  'campaign-changes',
  'campaign-end',
  'dial-guards',
  'window-edges',
  'stale-steps',
  'lost-signals',
  'call-events',
  'conclusions',
  'reconciliation',
  'dial-with-rooms',
  'dnd-registry',
  'parallel-lines',
  'state-machine',
  'dry-run-rules',
  'line-leaks',
];

const OF_FUNCTION: Record<string, readonly string[]> = {
  defer_dial: ['dialling-rules', 'dialling-windows'],
  dial_rules: ['dialling-rules', 'dialling-windows'],
  attempts_of: ['dialling-rules', 'dialling-windows'],
  rule_profiles_of: ['dialling-rules', 'dialling-windows'],
  zones_left: ['dialling-rules', 'dialling-windows'],
  next_due_at: ['dialling-rules', 'dialling-windows'],
  store_contacts: ['append'],
  admit_contacts: ['append'],
  withdraw_list_contact: ['append'],
  ask_refill: ['refill', 'end-call', 'dry-run-rules'],
  tripped_breaker: ['breakers', 'dial-guards'],
  claim_page: ['claim', 'refill', 'callbacks', 'capacity'],
  end_calls: ['end-call', 'callbacks', 'hang-up', 'breakers', 'dial-guards'],
  end_callback: ['callbacks', 'campaign-end'],
  failure_rate: ['breakers', 'dial-guards'],
  give_up_redials: ['campaign-changes', 'callbacks'],
  grant_lines: ['lines', 'capacity', 'parallel-lines', 'one-live-call'],
  hang_up: ['hang-up'],
  has_too_many_before: ['capacity', 'campaign-changes'],
  inbound_answer: ['inbound-calls', 'one-live-call'],
  caller_lines_of: ['one-live-call'],
  is_past_spend: ['one-live-call'],
  may_use_number: ['inbound-calls', 'inbound-routes', 'dial-outcomes'],
  ready_ahead: ['refill', 'claim', 'capacity', 'dry-run-rules'],
  register_waiting: ['lines', 'stale-steps'],
  return_line: ['stale-steps', 'window-edges', 'refill', 'dial-guards'],
  schedule_callback: ['callbacks', 'callback-caps'],
  start_dial: [
    'start-dial',
    'dial-guards',
    'one-live-call',
    'browser-sessions',
    'dnd-registry',
    'said-do-not-call',
  ],
  start_transfer: ['transfers'],
  take_inbound: ['inbound-calls', 'one-live-call'],
  trunk_slot: ['dial-guards', 'dry-run-rules'],
  withdraw_rest: ['campaign-end', 'callbacks', 'campaign-changes'],
};

const ACTIVITIES = [
  'db/dial-steps',
  'db/dial-preparation',
  'db/dial-with-rooms',
  'db/dial-outcomes',
  'db/dnd-registry',
  'db/line-leaks',
  'db/browser-sessions',
  'workflows/call',
  'workflows/hang-up',
  'workflows/do-not-disturb',
  'workflows/campaign',
];

const OF_ACTIVITY: Record<string, readonly string[]> = {
  'http-registry': ['activities/http-dnd-registry'],
  'registry-check': [
    'activities/circuit',
    'activities/http-dnd-registry',
    'db/dnd-registry',
    'db/dial-preparation',
    'workflows/do-not-disturb',
  ],
  'dial-outcomes': ['db/dial-outcomes'],
  lines: ['db/dial-steps', 'db/lines', 'db/stale-steps', 'workflows/call'],
};

/** Replays stored histories, which most changes of a workflow break, and the same histories with signals moved as in a stall. */
const REPLAY = 'workflows/replay';
const STALLED = 'workflows/stalled-tasks';

const OF_CALL = [
  REPLAY,
  'workflows/call',
  'workflows/inbound',
  'workflows/hang-up',
  'workflows/do-not-disturb',
  'workflows/delivery',
  STALLED,
];

const OF_WORKFLOW: Record<string, readonly string[]> = {
  'call-dial': [REPLAY, 'workflows/do-not-disturb', ...OF_CALL],
  'campaign-state': [REPLAY, 'workflows/campaign', 'workflows/reconcile', STALLED],
  campaign: [REPLAY, 'workflows/campaign', 'workflows/reconcile', STALLED],
  delivery: [REPLAY, 'workflows/delivery', STALLED],
  'inbound-route': [REPLAY, 'workflows/inbound', STALLED],
  notification: [REPLAY, STALLED, 'workflows/campaign'],
  'workflow-metadata': ['worker/workflow-starter', REPLAY, 'workflows/reconcile', 'workflows/campaign'],
  'start-detached-child': [REPLAY, 'workflows/reconcile', 'workflows/campaign', STALLED],
};

const OF_DECISION: Record<string, readonly string[]> = {
  'call-end': ['domain/call-outcome', 'api/carrier-events', 'db/end-call'],
  'call-outcome': [
    'domain/call-outcome',
    'api/carrier-event',
    'domain/contact-story-ends',
    'db/end-call',
    'workflows/call',
  ],
  'calling-window': [
    'domain/calling-window',
    'domain/dry-run',
    'activities/callback-time',
    'db/window-edges',
  ],
  'campaign-status': [
    'domain/campaign-status',
    'domain/campaign-step',
    'db/state-machine',
    'db/campaign-changes',
  ],
  'campaign-step': [
    'domain/campaign-step',
    'domain/breakers',
    'db/window-edges',
    'db/state-machine',
    'workflows/campaign',
  ],
  'inbound-call': ['domain/inbound-call', 'db/inbound-calls'],
  redial: ['domain/redial', 'db/dry-run-rules'],
};

/** Paths from the repository's root. */
export function suitesFor({ area, file }: Pick<Mutant, 'area' | 'file'>): string[] {
  const names = [...new Set(namesFor(area, file))];
  return names.map((name) => `test/${name}.test.ts`);
}

function namesFor(area: Mutant['area'], file: string): readonly string[] {
  const name = file.slice(file.lastIndexOf('/') + 1, -'.ts'.length);
  switch (area) {
    case 'sql':
      return [...(OF_FUNCTION[functionName(file)] ?? []), ...ENGINE].map((suite) => `db/${suite}`);
    case 'activities':
      return [...(OF_ACTIVITY[name] ?? []), ...ACTIVITIES];
    case 'workflows':
      return OF_WORKFLOW[name] ?? OF_CALL;
    case 'decisions':
      return OF_DECISION[name] ?? [`domain/${name}`];
  }
}
