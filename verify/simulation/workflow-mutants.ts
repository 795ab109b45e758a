/** Handwritten mutants of the workflows and of their retry policies. */
import type { SourceChange } from './changed-activities';
import { cutDeliveries, cutDispatches, cutLookUps } from './plan/needs';
import type { SimulationPlan } from './plan/plan';

export interface DialMutant extends SourceChange {
  name: string;
  /** The change as it appears in the workflow bundle, where the text differs from the source. */
  inBundle?: { from: string; to: string };
  /**
   * The other tests miss this mutant, but the simulation finds it. The long test plants it and expects a violation of `invariant`, or of
   * any invariant if that is absent.
   */
  isMissed?: true;
  invariant?: number;
  needs?: (plan: SimulationPlan) => SimulationPlan;
}

const CALL = 'workflows/call.ts';
const CALL_DIAL = 'workflows/call-dial.ts';
const CALL_STATE = 'workflows/call-state.ts';
const PROXIES = 'workflows/activity-proxies.ts';
const CHILD = 'workflows/start-detached-child.ts';
const CAMPAIGN = 'workflows/campaign.ts';
const CAMPAIGN_STATE = 'workflows/campaign-state.ts';
const DELIVERY = 'workflows/delivery.ts';

const ONCE = 'retry: { ...UNTIL_POSTGRES_ANSWERS, maximumAttempts: 1 }';
const ASKED_ONCE = `({ ...transaction, ${ONCE} })`;

const askedOnce = (proxy: string): Pick<DialMutant, 'file' | 'from' | 'to' | 'inBundle'> => ({
  file: PROXIES,
  from: `export const ${proxy} = proxyLocalActivities<Activities>(transaction)`,
  to: `export const ${proxy} = proxyLocalActivities<Activities>${ASKED_ONCE}`,
  inBundle: {
    from: `exports.${proxy} = (0, workflow_1.proxyLocalActivities)(transaction)`,
    to: `exports.${proxy} = (0, workflow_1.proxyLocalActivities)${ASKED_ONCE}`,
  },
});

/** Changes the retries of the steps that have this timeout. */
const retriedWith = (limit: string, retry: string): Pick<DialMutant, 'file' | 'from' | 'to' | 'inBundle'> => {
  const policy = (indent: string, retried: string) => `startToCloseTimeout: '${limit}',\n${indent}${retried}`;
  const change = (indent: string) => ({
    from: policy(indent, 'retry: UNTIL_POSTGRES_ANSWERS'),
    to: policy(indent, retry),
  });
  return { file: PROXIES, ...change('  '), inBundle: change('    ') };
};

/** Adds a statement before the wait for a line after `noLine`. */
const afterNoLine = (added: string): Pick<DialMutant, 'from' | 'to' | 'inBundle'> => {
  const change = (indent: string) => {
    const [before, wait] = [`unavailableSince = null;\n${indent}`, 'lineBy = await waitForLine(call);'];
    return { from: before + wait, to: `${before}${added} ${wait}` };
  };
  return { ...change(' '.repeat(8)), inBundle: change(' '.repeat(16)) };
};

const CARRIER_OUTAGE_IS_FINAL = `retry: { ...UNTIL_POSTGRES_ANSWERS, nonRetryableErrorTypes: ['CarrierUnreachable'] }`;

/**
 * Histories replay with each of these mutants. Except for the first, no other workflow test has an unreachable database or carrier at the
 * right moment.
 */
export const IN_POLICIES: readonly DialMutant[] = [
  {
    // The campaign's run ends shortly after the start of the call. Every test that dials a campaign over a real server detects this.
    name: 'a call ends with the run of its campaign',
    file: CHILD,
    from: 'parentClosePolicy: ParentClosePolicy.ABANDON',
    to: 'parentClosePolicy: ParentClosePolicy.TERMINATE',
    inBundle: {
      from: 'parentClosePolicy: workflow_1.ParentClosePolicy.ABANDON',
      to: 'parentClosePolicy: workflow_1.ParentClosePolicy.TERMINATE',
    },
  },
  {
    name: 'a campaign does not retry an unreachable database',
    isMissed: true,
    invariant: 10,
    ...askedOnce('campaignRows'),
  },
  {
    name: 'a call does not retry the request for its line',
    isMissed: true,
    invariant: 10,
    ...askedOnce('lines'),
    needs: cutDispatches,
  },
  {
    name: 'a failed dial is not retried',
    isMissed: true,
    invariant: 10,
    ...retriedWith('40s', ONCE),
    needs: cutDispatches,
  },
  {
    name: 'the query for the end of a call is not retried',
    isMissed: true,
    invariant: 10,
    ...retriedWith('30s', ONCE),
  },
  {
    name: 'an absent carrier at a look-up fails the workflow',
    isMissed: true,
    invariant: 10,
    ...retriedWith('40s', CARRIER_OUTAGE_IS_FINAL),
    needs: cutLookUps,
  },
  {
    name: 'an absent carrier at the conclusion fails the workflow',
    isMissed: true,
    invariant: 10,
    ...retriedWith('30s', CARRIER_OUTAGE_IS_FINAL),
  },
  {
    // The ledger counts attempts. A dead worker or an unreachable database uses up one of Temporal's attempts, but none of the ledger's.
    name: 'Temporal counts webhook attempts, too',
    file: DELIVERY,
    from: "retry: { initialInterval: '5s', backoffCoefficient: 1 }",
    to: "retry: { initialInterval: '5s', backoffCoefficient: 1, maximumAttempts: 5 }",
    needs: cutDeliveries,
  },
];

/** Bundles contain transpiled text, with different whitespace and without types. */
export const IN_WORKFLOWS: readonly DialMutant[] = [
  {
    name: 'an unreachable database is retried only after ten minutes',
    file: PROXIES,
    from: `initialInterval: '200ms',\n  backoffCoefficient: 2,\n  maximumInterval: '5s',`,
    to: `initialInterval: '10m',\n  backoffCoefficient: 2,\n  maximumInterval: '10m',`,
    inBundle: {
      from: `initialInterval: '200ms',\n    backoffCoefficient: 2,\n    maximumInterval: '5s',`,
      to: `initialInterval: '10m',\n    backoffCoefficient: 2,\n    maximumInterval: '10m',`,
    },
  },
  {
    name: 'a call that is already running fails its campaign',
    file: CHILD,
    from: 'if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;',
    to: 'if (error instanceof WorkflowExecutionAlreadyStartedError) throw error;',
    inBundle: {
      from: 'if (!(error instanceof common_1.WorkflowExecutionAlreadyStartedError))',
      to: 'if (error instanceof common_1.WorkflowExecutionAlreadyStartedError)',
    },
  },
  {
    name: 'an end signalled during a step does not wake the call',
    file: CALL_STATE,
    from: 'call.known = asked;',
    to: 'call.known = { ...call.received };',
  },
  {
    name: 'a line granted during the return of the last one does not wake the call',
    file: CALL_DIAL,
    ...afterNoLine('call.known = { ...call.received };'),
  },
  {
    name: 'a call that waits for its line does not wake at its end',
    file: CALL_STATE,
    from: 'received.grants > known.grants || received.ends > known.ends ||',
    to: 'received.grants > known.grants ||',
  },
  {
    name: 'unavailability before a pause counts after it',
    file: CALL_DIAL,
    from: '        unavailableSince = null;\n        lineBy',
    to: '        lineBy',
    inBundle: {
      from: '                unavailableSince = null;\n                lineBy',
      to: '                lineBy',
    },
  },
  {
    name: 'an overdue call starts its look-ups again and again',
    file: CALL,
    from: 'lookUps = attended.lookUps;',
    to: 'lookUps = 0;',
  },
  {
    name: 'the next step of a campaign depends on the current clock',
    file: CAMPAIGN,
    from: 'nextStep(rows, campaign.surveyed.now)',
    to: 'nextStep(rows, Date.now())',
    inBundle: { from: 'nextStep)(rows, campaign.surveyed.now)', to: 'nextStep)(rows, Date.now())' },
  },
  {
    name: 'the timer of a campaign depends on current knowledge',
    file: CAMPAIGN_STATE,
    from: '!surveyed.alarms.includes(alarm.at)',
    to: '!campaign.alarms.has(alarm.at)',
  },
  {
    name: 'a call with a signalled end is not looked up',
    file: CALL_DIAL,
    from: "startTimer(dialled.dialAgainAfterMs, 'look the call up at the carrier'));",
    to: "startTimer(dialled.dialAgainAfterMs, 'look the call up at the carrier'));\n        if (call.received.ends > call.known.ends) return null;",
    inBundle: {
      from: "startTimer)(dialled.dialAgainAfterMs, 'look the call up at the carrier'));",
      to: "startTimer)(dialled.dialAgainAfterMs, 'look the call up at the carrier'));\n if (call.received.ends > call.known.ends) return null;",
    },
  },
  {
    name: 'a page of calls is queued before their workflows run',
    file: CAMPAIGN,
    from: 'await Promise.all(page.claimed.map((call) => startCall(input, call)));',
    to: 'void Promise.all(page.claimed.map((call) => startCall(input, call)));',
  },
];
