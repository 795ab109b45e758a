import type { ChangedRoute } from '../../db/calls/inbound-routes';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

export type RouteDependencies = Pick<ApiDependencies, 'log'> & {
  temporal: Pick<TemporalPort, 'tellRoute'>;
};

/**
 * Has the carrier told of routes that changed with an agent. The change stands in its rows, and the agent with it: what does not get through
 * is found by reconciliation within seconds, and nobody waits on the line for it.
 */
export async function tellRoutes(
  { temporal, log }: RouteDependencies,
  { clientId, agentId }: { clientId: string; agentId: string },
  routes: readonly ChangedRoute[],
): Promise<void> {
  try {
    await Promise.all(routes.map((route) => temporal.tellRoute(route, { clientId, agentId })));
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ agent_id: agentId }, 'agent changed, the carrier hears of its inbound number later');
  }
}
