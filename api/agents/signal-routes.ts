import type { ChangedRoute } from '../../db/calls/inbound-routes';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

export type RouteDependencies = Pick<ApiDependencies, 'log'> & {
  temporal: Pick<TemporalPort, 'signalRoute'>;
};

/**
 * Signals the workflows that register the routes which changed with an agent. The change stands in its rows, and the agent with it: reconciliation
 * finds within seconds what does not get through, and nobody waits on the line for it.
 */
export async function signalRoutes(
  { temporal, log }: RouteDependencies,
  { clientId, agentId }: { clientId: string; agentId: string },
  routes: readonly ChangedRoute[],
): Promise<void> {
  try {
    await Promise.all(routes.map((route) => temporal.signalRoute(route, { clientId, agentId })));
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ agent_id: agentId }, 'agent changed, its inbound number is registered with the carrier later');
  }
}
