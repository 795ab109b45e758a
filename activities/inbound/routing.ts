import { ApplicationFailure } from '@temporalio/activity';
import {
  recordRefused,
  recordRegistered,
  routeToRegister,
  type RouteToRegister,
} from '../../db/calls/inbound-routes';
import type { InboundRouteResult } from '../../workflows/contract';
import { answeringAgent } from '../../domain/inbound-call';
import type { ActivityDependencies } from '../dependencies';
import { CarrierUnreachable, RouteRefused, type Telephony } from '../telephony/port';

/** `revision` is null where there is nothing left to register: the carrier has forgotten the number. */
export type RegisteredRoute = InboundRouteResult & { revision: number | null };

export function routingActivities(
  deps: Pick<ActivityDependencies, 'db' | 'telephony' | 'log' | 'clock' | 'settings'>,
) {
  const { db, telephony, log, clock, settings } = deps;
  return {
    /**
     * Registers the route with the carrier as its row has it now, also where it is registered already, and records the revision. Run twice, it
     * registers the same twice.
     * @throws ApplicationFailure `CarrierUnreachable`, or for good `RouteRefused`; neither names the number
     */
    async registerRoute({ routeId }: { routeId: string }): Promise<RegisteredRoute> {
      const route = await routeToRegister(db, routeId, settings);
      if (route === undefined) return { state: 'removed', revision: null };
      const { revision } = route;
      try {
        await register(telephony, route);
      } catch (error) {
        if (error instanceof RouteRefused) {
          await recordRefused(db, { routeId, revision }, error.message, clock());
          log.warn({ route_id: routeId, reason: error.message }, 'the carrier refused an inbound number');
        }
        throw asFailure(error);
      }
      await recordRegistered(db, { routeId, revision }, clock());
      return { state: route.agent === null ? 'removed' : 'in place', revision };
    },
  };
}

function register(telephony: Telephony, { number, agent }: RouteToRegister): Promise<void> {
  if (agent === null) return telephony.removeInboundRoute(number);
  return telephony.setInboundRoute({ number, agent: answeringAgent(agent.displayName, agent.config) });
}

/** The cause may hold the address that was asked, and with it the number: it goes no further. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof RouteRefused || error instanceof CarrierUnreachable)) return error;
  return ApplicationFailure.create({ type: error.name, message: error.message });
}
