/**
 * Registers at the carrier which agent answers one of our numbers, and repeats this until the row's latest revision is registered. Fails if
 * the carrier rejects the number. Reconciliation then starts it again within the hour.
 */
import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { carrierRoutes } from './activity-proxies';
import { routeChangedSignal, type InboundRouteInput, type InboundRouteResult } from './contract';

export async function inboundRouteWorkflow({ routeId }: InboundRouteInput): Promise<InboundRouteResult> {
  let wanted = 0;
  setHandler(routeChangedSignal, ({ revision }) => void (wanted = Math.max(wanted, revision)));
  for (;;) {
    setCurrentDetails('registering with the carrier');
    const registered = await carrierRoutes.registerRoute({ routeId });
    if (registered.revision === null || registered.revision >= wanted) {
      setCurrentDetails(registered.state);
      return { state: registered.state };
    }
  }
}
