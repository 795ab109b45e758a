import { ApplicationFailure } from '@temporalio/activity';
import { recordRefused, recordTold, routeToTell, type RouteToTell } from '../../db/calls/inbound-routes';
import type { InboundRouteResult } from '../../workflows/contract';
import { answeringAgent } from '../../workflows/domain/inbound-call';
import type { ActivityDependencies } from '../dependencies';
import { CarrierUnreachable, RouteRefused, type Telephony } from '../telephony/port';

/** `revision` is null where there is nothing left to tell: the carrier has forgotten the number. */
export type ToldRoute = InboundRouteResult & { revision: number | null };

export function routingActivities(deps: Pick<ActivityDependencies, 'db' | 'telephony' | 'log' | 'clock'>) {
  const { db, telephony, log, clock } = deps;
  return {
    /**
     * Tells the carrier what its row says of the route now, whether it was told before or not, and records that it was. Run twice it tells the
     * same twice.
     * @throws ApplicationFailure `CarrierUnreachable`, or for good `RouteRefused`; neither names the number
     */
    async tellRoute({ routeId }: { routeId: string }): Promise<ToldRoute> {
      const route = await routeToTell(db, routeId);
      if (route === undefined) return { state: 'removed', revision: null };
      const { revision } = route;
      try {
        await tell(telephony, route);
      } catch (error) {
        if (error instanceof RouteRefused) {
          await recordRefused(db, { routeId, revision }, error.message, clock());
          log.warn({ route_id: routeId, reason: error.message }, 'the carrier refused an inbound number');
        }
        throw asFailure(error);
      }
      await recordTold(db, { routeId, revision }, clock());
      return { state: route.agent === null ? 'removed' : 'in place', revision };
    },
  };
}

function tell(telephony: Telephony, { number, agent }: RouteToTell): Promise<void> {
  if (agent === null) return telephony.removeInboundRoute(number);
  return telephony.setInboundRoute({ number, agent: answeringAgent(agent.displayName, agent.config) });
}

/** The cause may hold the address that was asked, and with it the number: it goes no further. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof RouteRefused || error instanceof CarrierUnreachable)) return error;
  return ApplicationFailure.create({ type: error.name, message: error.message });
}
