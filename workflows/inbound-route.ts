/**
 * Has the carrier told which agent answers one of our numbers, or that none does. The row says what is wanted; a change on the way is told
 * after what came before it. A number that the carrier refuses ends this as failed: reconciliation asks again within the hour.
 */
import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { carrierRoutes } from './activity-proxies';
import { routeChangedSignal, type InboundRouteInput, type InboundRouteResult } from './contract';

export async function inboundRouteWorkflow({ routeId }: InboundRouteInput): Promise<InboundRouteResult> {
  let wanted = 0;
  setHandler(routeChangedSignal, ({ revision }) => void (wanted = Math.max(wanted, revision)));
  for (;;) {
    setCurrentDetails('telling the carrier');
    const told = await carrierRoutes.tellRoute({ routeId });
    if (told.revision === null || told.revision >= wanted) {
      setCurrentDetails(told.state);
      return { state: told.state };
    }
  }
}
