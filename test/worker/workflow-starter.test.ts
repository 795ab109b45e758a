import type { WorkflowClient } from '@temporalio/client';
import { workflowStarter } from '../../worker/workflow-starter';
import { attemptSummary, callSummary, ownedBy } from '../../workflows/workflow-metadata';

const OWNER = { organizationId: 'client', campaignId: 'campaign', agentId: 'agent' };

describe('a workflow that reconciliation starts', () => {
  test('has the same search attributes as one that the API starts, and a summary', async () => {
    const started: any[] = [];
    const start = (type: string, options: object) => Promise.resolve(started.push({ type, ...options }));
    const starter = workflowStarter({ start } as unknown as WorkflowClient);
    await starter.startOnce('campaignWorkflow', 'campaign-1', OWNER, { owner: OWNER, summary: 'a campaign' });
    await starter.startOnce('reconcileWorkflow', 'reconcile-1', {});
    expect(started).toMatchObject([
      {
        type: 'campaignWorkflow',
        staticSummary: 'a campaign',
        ...ownedBy(OWNER),
      },
      { type: 'reconcileWorkflow', typedSearchAttributes: [], priority: {} },
    ]);
    expect(started[1]).not.toHaveProperty('staticSummary');
  });

  test('labels a call by direction if it has no campaign', () => {
    const call = { callId: 'call', organizationId: 'client', agentId: 'agent' };
    expect(callSummary(call)).toBe('dispatched call, organization client');
    expect(callSummary({ ...call, placed: { deadlineMs: 1 } })).toBe('inbound call, organization client');
  });

  test("labels a campaign's call by its attempt, or as a callback", () => {
    expect(attemptSummary({ attempt: 2, maxAttempts: 3 })).toBe('call attempt 2 of 3');
    expect(attemptSummary({ attempt: null, maxAttempts: 3 })).toBe('callback');
  });

  test('prioritizes calls outside campaigns, and shares workers fairly between organizations', () => {
    const { organizationId, agentId } = OWNER;
    expect(ownedBy({ organizationId, agentId }).priority).toEqual({
      priorityKey: 2,
      fairnessKey: organizationId,
    });
    expect(ownedBy(OWNER).priority).toEqual({ priorityKey: 4, fairnessKey: organizationId });
    expect(ownedBy({}).priority).toEqual({});
  });

  test('has search attributes only for the owners that are known', () => {
    const names = (owner: object) => ownedBy(owner).typedSearchAttributes.map(({ key }) => key.name);
    expect(names(OWNER)).toEqual(['OrganizationId', 'CampaignId', 'AgentId']);
    expect(names({ organizationId: 'client', campaignId: null })).toEqual(['OrganizationId']);
    expect(names({})).toEqual([]);
  });
});
