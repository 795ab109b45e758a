import { ApplicationFailure } from '@temporalio/activity';
import {
  recordRefused,
  recordRegistered,
  routeToRegister,
  type RouteToRegister,
} from '../db/calls/inbound-routes';
import type { InboundRouteResult } from '../workflows/contract';
import { answeringAgent } from '../domain/inbound-call';
import type { ActivityDependencies } from './dependencies';
import { CarrierUnreachable, RouteRefused, type Telephony } from './telephony/port';

/** `revision` is null if the route was removed and nothing is left to register. */
type RegisteredRoute = InboundRouteResult & { revision: number | null };

export function routingActivities(
  deps: Pick<ActivityDependencies, 'db' | 'telephony' | 'log' | 'clock' | 'settings'>,
) {
  const { db, telephony, log, clock, settings } = deps;
  return {
    /**
     * Registers the route's current state at the carrier, even if it is already registered, and records the revision. Safe to repeat.
     * @throws ApplicationFailure `CarrierUnreachable`, or `RouteRefused` if no retry will succeed. Neither contains the number
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
          log.warn({ route_id: routeId, reason: error.message }, 'the carrier rejected an inbound number');
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

/** Drops the cause, because it may contain the requested URL and thus the number. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof RouteRefused || error instanceof CarrierUnreachable)) return error;
  return ApplicationFailure.create({ type: error.name, message: error.message });
}
