/**
 * All side effects of the workflows. Each activity is idempotent or runs at most once per row, and `reconciliation/` repairs the effects of
 * interruptions.
 */
import { analysingActivities } from './analysis/analysing';
import { withAsked } from './local-activity';
import { attendingActivities } from './ending/attending';
import { campaignEndingActivities, campaignFeedingActivities } from './campaigns/steps';
import { concludingActivities } from './ending/concluding';
import { deliveringActivities, receiverSlots } from './delivering/delivering';
import type { ActivityDependencies } from './dependencies';
import { diallingActivities } from './dialling/dialling';
import type { DirectDials } from './dialling/direct-dials';
import { routingActivities } from './inbound-routes';
import { lineActivities } from './dialling/lines';
import { notifyingActivities } from './mail/notifying';
import { directPreparation, preparingActivities } from './dialling/preparing';
import { reconcilingActivities } from './reconciliation';
import { retentionActivities } from './retention';
import { resolvingActivities } from './ending/resolving';

/** `directDials` makes the same dials as the activity `dial`, and the same preparations as `prepareDial`. */
export function createActivities(deps: ActivityDependencies, directDials?: DirectDials) {
  const { dial } = diallingActivities(deps);
  directDials?.start({ dial, prepare: directPreparation(deps) });
  const resolving = resolvingActivities(deps);
  const delivering = { ...deps, slots: receiverSlots(deps.settings.atOnce.deliveries) };
  const attending = attendingActivities(delivering, resolving, dial);
  const feeding = campaignFeedingActivities(deps);
  return {
    ...feeding,
    surveyCampaign: withAsked(feeding.surveyCampaign),
    claimPage: withAsked(feeding.claimPage),
    ...campaignEndingActivities(deps),
    requestLine: withAsked(lineActivities(deps).requestLine),
    dial: withAsked(attending.dial),
    ...preparingActivities(deps),
    attendCall: withAsked(attending.attendCall),
    ...resolving,
    ...concludingActivities(delivering),
    ...analysingActivities(deps),
    ...deliveringActivities(delivering),
    ...notifyingActivities(deps),
    ...routingActivities(deps),
    ...retentionActivities(deps),
    ...reconcilingActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
