import { lookAtRoutesAgain, overdueRoutes } from '../../db/calls/inbound-routes';
import { WORKFLOW_TYPES, workflowId, type InboundRouteInput } from '../../workflows/contract';
import { ROUTE_SUMMARY } from '../../workflows/workflow-metadata';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { ROUTE_LOOK_MS } from './lateness';

/** Starts the workflow of each route whose registration is overdue. */
export const repairInboundRoutes = (repair: Repair): Promise<void> => registerOverdue(repair, 'unregistered');

/** Registers all routes again every hour, in case the carrier has lost them. */
export const renewInboundRoutes = (repair: Repair): Promise<void> => registerOverdue(repair, 'registered');

async function registerOverdue(repair: Repair, which: 'unregistered' | 'registered'): Promise<void> {
  const { db, workflows, clock } = repair;
  const now = clock();
  const overdue = await overdueRoutes(db, which, now);
  const routeIds: string[] = [];
  try {
    await eachOf(repair, overdue, async ({ routeId, organizationId, agentId }) => {
      routeIds.push(routeId);
      const id = workflowId.inboundRoute(routeId);
      if ((await workflows.state(id)) === 'running') return;
      const input: InboundRouteInput = { routeId };
      const owner = organizationId === null || agentId === null ? {} : { organizationId, agentId };
      // After a closed workflow, a new one registers the current row.
      const metadata = { owner, summary: ROUTE_SUMMARY };
      await workflows.startOnce(WORKFLOW_TYPES.inboundRoute, id, input, {
        againAfterClose: true,
        ...metadata,
      });
    });
  } finally {
    if (routeIds.length > 0) await lookAtRoutesAgain(db, routeIds, { now, at: now + ROUTE_LOOK_MS });
  }
}
