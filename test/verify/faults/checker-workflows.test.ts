/** Invariant 10: a workflow closes when what it is for is over. */
import { CAMPAIGN } from './run-story';
import { but, rightRun, violated } from './right-run';

const open = (workflow_id: string, type = 'callWorkflow') =>
  but(({ evidence }) => evidence.openWorkflows.push({ workflow_id, type }));

test.each([
  ['a call that is over and whose webhook was accepted', 'call-2-1'],
  ['a dispatched call that is over', 'dispatched-1'],
  ['a campaign that has ended', `campaign-${CAMPAIGN}`],
  ['a delivery that was accepted', 'delivery-webhook-call-2-1'],
])('the workflow of %s must not run any more', (_of, workflowId) => {
  const story = open(workflowId);
  expect(violated(story)).toEqual([10]);
  expect(story.violations()[10]).toEqual([
    `callWorkflow ${workflowId} still runs though what it is for is over`,
  ]);
});

test('the workflow of a call that is not over may run', () => {
  const story = open('call-2-1');
  story.callOf('call-2-1').stage = 'live';
  expect(violated(story)).not.toContain(10);
});

test('the workflow of a call whose webhook is not accepted yet may run', () => {
  const story = open('call-2-1').unsent('webhook-call-2-1');
  expect(violated(story)).not.toContain(10);
});

test('workflows that no row is for, as those of schedules, may run', () => {
  expect(violated(open('reconcile', 'reconcileWorkflow'))).toEqual([]);
  expect(violated(rightRun())).toEqual([]);
});
