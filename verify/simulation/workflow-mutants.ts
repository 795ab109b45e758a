/** Mutants of the workflows and of their retry policies. */
import type { DialMutant } from './dial-mutant';
import { cutDeliveries, cutDispatches, cutLookUps } from './plan/needs';

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

/** Changes the retries of the steps with this timeout. */
const retriedWith = (limit: string, retry: string): Pick<DialMutant, 'file' | 'from' | 'to' | 'inBundle'> => {
  const policy = (indent: string, retried: string) => `startToCloseTimeout: '${limit}',\n${indent}${retried}`;
  const change = (indent: string) => ({
    from: policy(indent, 'retry: UNTIL_POSTGRES_ANSWERS'),
    to: policy(indent, retry),
  });
  return { file: PROXIES, ...change('  '), inBundle: change('    ') };
};

const CARRIER_AWAY_IS_FINAL = `retry: { ...UNTIL_POSTGRES_ANSWERS, nonRetryableErrorTypes: ['CarrierUnreachable'] }`;

/**
 * Histories replay with each of these. Except for the first, no other workflow test has a database or carrier that is away at that moment.
 */
export const IN_POLICIES: readonly DialMutant[] = [
  {
    // Its campaign's run ends a moment after the call has begun: every test that dials a campaign over a real server sees that.
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
    name: 'a campaign asks a database that is away once',
    isMissed: true,
    invariant: 10,
    ...askedOnce('campaignRows'),
  },
  {
    name: 'a call asks for its line once',
    isMissed: true,
    invariant: 10,
    ...askedOnce('lines'),
    needs: cutDispatches,
  },
  {
    name: 'a dial that could not be made is not made again',
    isMissed: true,
    invariant: 10,
    ...retriedWith('20s', ONCE),
    needs: cutDispatches,
  },
  { name: 'the end of a call is asked for once', isMissed: true, invariant: 10, ...retriedWith('30s', ONCE) },
  {
    name: 'a carrier that is away when a call is looked up ends its workflow',
    isMissed: true,
    invariant: 10,
    ...retriedWith('20s', CARRIER_AWAY_IS_FINAL),
    needs: cutLookUps,
  },
  {
    name: 'a carrier that is away when a call is concluded ends its workflow',
    isMissed: true,
    invariant: 10,
    ...retriedWith('30s', CARRIER_AWAY_IS_FINAL),
  },
  {
    // The ledger counts them: a worker that dies, or a database that is away, costs an attempt of Temporal's and none of the ledger's.
    name: 'the attempts at a webhook are counted by Temporal too',
    file: DELIVERY,
    from: "retry: { initialInterval: '5s', backoffCoefficient: 1 }",
    to: "retry: { initialInterval: '5s', backoffCoefficient: 1, maximumAttempts: 5 }",
    needs: cutDeliveries,
  },
];

/** The transpiled text of a bundle has other spaces and no types. */
export const IN_WORKFLOWS: readonly DialMutant[] = [
  {
    name: 'a database that was away is asked again after ten minutes',
    file: PROXIES,
    from: `initialInterval: '200ms',\n  backoffCoefficient: 2,\n  maximumInterval: '5s',`,
    to: `initialInterval: '10m',\n  backoffCoefficient: 2,\n  maximumInterval: '10m',`,
    inBundle: {
      from: `initialInterval: '200ms',\n    backoffCoefficient: 2,\n    maximumInterval: '5s',`,
      to: `initialInterval: '10m',\n    backoffCoefficient: 2,\n    maximumInterval: '10m',`,
    },
  },
  {
    name: 'a call that runs already ends its campaign',
    file: CHILD,
    from: 'if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;',
    to: 'if (error instanceof WorkflowExecutionAlreadyStartedError) throw error;',
    inBundle: {
      from: 'if (!(error instanceof common_1.WorkflowExecutionAlreadyStartedError))',
      to: 'if (error instanceof common_1.WorkflowExecutionAlreadyStartedError)',
    },
  },
  {
    name: 'an end that is signalled while the carrier is asked is left to the deadline',
    file: CALL_DIAL,
    from: 'return { deadlineMs: step.deadlineMs, asked };',
    to: 'return { deadlineMs: step.deadlineMs, asked: { ...call.received } };',
  },
  {
    name: 'an end that is signalled while a look-up is asked for wakes nobody',
    file: CALL,
    from: 'await untilEnded(call, asked, again);',
    to: 'await untilEnded(call, { ...call.received }, again);',
    inBundle: {
      from: '(0, call_state_1.untilEnded)(call, asked, again);',
      to: '(0, call_state_1.untilEnded)(call, { ...call.received }, again);',
    },
  },
  {
    name: 'a line that is granted while the last one is given up wakes nobody',
    file: CALL_DIAL,
    from: 'lineBy = await waitForLine(call, asked);',
    to: 'lineBy = await waitForLine(call, { ...call.received });',
  },
  {
    name: 'a call that waits for its line does not wake at its end',
    file: CALL_STATE,
    from: 'received.grants > asked.grants || received.ends > asked.ends ||',
    to: 'received.grants > asked.grants ||',
  },
  {
    name: 'what was unavailable before a pause counts after it',
    file: CALL_DIAL,
    from: '        unavailableSince = null;\n',
    to: '',
    inBundle: { from: '                unavailableSince = null;\n', to: '' },
  },
  {
    name: 'a late call is looked up for the first time again and again',
    file: CALL,
    from: 'settled = result.settled;',
    to: 'settled = 0;',
  },
  {
    name: 'the next step of a campaign is chosen by the clock of now',
    file: CAMPAIGN,
    from: 'nextStep(survey, asked.now)',
    to: 'nextStep(survey, Date.now())',
    inBundle: { from: 'nextStep)(survey, asked.now)', to: 'nextStep)(survey, Date.now())' },
  },
  {
    name: 'whether a campaign has a timer is judged by what is known now',
    file: CAMPAIGN_STATE,
    from: '!asked.alarms.includes(alarm.at)',
    to: '!campaign.alarms.has(alarm.at)',
  },
  {
    name: 'a call that is signalled its end before a look-up is not looked up',
    file: CALL_DIAL,
    from: "startTimer(step.askAgainAfterMs, 'look the call up at the carrier'));",
    to: "startTimer(step.askAgainAfterMs, 'look the call up at the carrier'));\n        if (call.received.ends > asked.ends) return null;",
    inBundle: {
      from: "startTimer)(step.askAgainAfterMs, 'look the call up at the carrier'));",
      to: "startTimer)(step.askAgainAfterMs, 'look the call up at the carrier'));\n if (call.received.ends > asked.ends) return null;",
    },
  },
  {
    name: 'a page of calls is queued before their workflows run',
    file: CAMPAIGN,
    from: 'await Promise.all(page.claimed.map((call) => startCall(input, call)));',
    to: 'void Promise.all(page.claimed.map((call) => startCall(input, call)));',
  },
];
