import type { ConfigChangeResult } from '../../db/agents/changes';
import { agentNotFound, numberInUse, numberNotYours } from '../http/errors/refusals';
import { signalRoutes, type RouteDependencies } from './signal-routes';

/**
 * Returns the new version and signals the changed inbound routes.
 * @throws ApiError if the change was refused
 */
export async function changedVersion(
  deps: RouteDependencies,
  target: { organizationId: string; agentId: string },
  result: Exclude<ConfigChangeResult<unknown>, { kind: 'refused' }>,
): Promise<number> {
  switch (result.kind) {
    case 'updated':
      await signalRoutes(deps, target, result.routes);
      return result.version;
    case 'unknown':
      throw agentNotFound();
    case 'number_not_yours':
      throw numberNotYours();
    case 'number_in_use':
      throw numberInUse();
  }
}
