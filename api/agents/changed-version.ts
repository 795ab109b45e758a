import type { ConfigChangeResult } from '../../db/agents/changes';
import { agentNotFound, numberInUse, numberNotYours } from '../http/errors/refusals';
import { signalRoutes, type RouteDependencies } from './signal-routes';

/**
 * The version that calls run from now on. Signals the routes that changed with it; a change that was not made is thrown as the client's
 * refusal.
 */
export async function changedVersion(
  deps: RouteDependencies,
  target: { clientId: string; agentId: string },
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
