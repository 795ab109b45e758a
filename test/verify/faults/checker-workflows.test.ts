/** Tests invariant 10: a workflow closes when its work is over. */
import { CAMPAIGN } from './run-story';
import { but, rightRun, violated } from './right-run';

const open = (workflow_id: string, type = 'callWorkflow') =>
  but(({ evidence }) => evidence.openWorkflows.push({ workflow_id, type }));

test.each([
  ['a finished call whose webhook was accepted', 'call-2-1'],
  ['a finished dispatch', 'dispatched-1'],
  ['a finished campaign', `campaign-${CAMPAIGN}`],
  ['an accepted delivery', 'delivery-webhook-call-2-1'],
])('reports an open workflow of %s', (_of, workflowId) => {
  const story = open(workflowId);
  expect(violated(story)).toEqual([10]);
  expect(story.violations()[10]).toEqual([
    `callWorkflow ${workflowId} is still open although its work is over`,
  ]);
});

test('allows the open workflow of a live call', () => {
  const story = open('call-2-1');
  story.callOf('call-2-1').stage = 'live';
  expect(violated(story)).not.toContain(10);
});

test('allows the open workflow of a call whose webhook has not been accepted yet', () => {
  const story = open('call-2-1').unsent('webhook-call-2-1');
  expect(violated(story)).not.toContain(10);
});

test('allows open workflows without a row, such as those of schedules', () => {
  expect(violated(open('reconcile', 'reconcileWorkflow'))).toEqual([]);
  expect(violated(rightRun())).toEqual([]);
});
