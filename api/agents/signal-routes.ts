import type { ChangedRoute } from '../../db/calls/inbound-routes';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

export type RouteDependencies = Pick<ApiDependencies, 'log'> & {
  temporal: Pick<TemporalPort, 'signalRoute'>;
};

/**
 * Signals the workflows of inbound routes that changed with an agent. If Temporal is down, reconciliation finds the changed rows within
 * seconds, so the request succeeds.
 */
export async function signalRoutes(
  { temporal, log }: RouteDependencies,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  routes: readonly ChangedRoute[],
): Promise<void> {
  try {
    await Promise.all(routes.map((route) => temporal.signalRoute(route, { organizationId, agentId })));
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ agent_id: agentId }, 'agent changed; reconciliation will register its inbound number');
  }
}
