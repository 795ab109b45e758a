import { CREATION_REFUSALS } from './checked-campaign';
import { campaignParams } from './campaign-target';
import { forecastCampaign } from './forecast-campaign';
import { simulateCampaign } from './simulate-campaign';
import { simulateCampaignBody } from './simulation-body';
import { Shares } from '../../runtime/shares';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { campaignNotEditable, campaignNotFound, shareTaken } from '../http/errors/refusals';
import { presentSimulatedCampaign } from './present-simulated';
import { simulatedCampaign } from './resource-simulated';
import type { RouteTools } from '../dependencies/route-tools';

/** Each takes the processor for half a second at most, in small pieces; two at once leave others enough of it, and an organization has one. */
const LIMITS = { most: 2, mostOfOne: 1, waiting: 40, waitingOfOne: 10, waitMs: 8_000 };

export const simulateCampaignEndpoints = ({ deps }: RouteTools): Endpoint[] => {
  const shares = new Shares(LIMITS);
  return [
    endpoint({
      method: 'post',
      path: '/api/campaigns/simulate',
      tag: 'Campaigns',
      summary: 'Say how a campaign would go, without a call',
      description:
        "Takes what create takes and refuses what create refuses; stores and starts nothing. The engine's own rules are run over assumed calls: the same request at the same time has the same answer.",
      access: byKey,
      scope: 'read',
      errors: 'envelope',
      input: { body: simulateCampaignBody },
      answer: answers('How the campaign would go', simulatedCampaign),
      refusals: CREATION_REFUSALS,
      handle: async ({ body }, client) => {
        const simulated = await shares.run(client.id, () => simulateCampaign(deps, body, client));
        if (simulated === null) throw shareTaken();
        return simulated;
      },
      present: presentSimulatedCampaign,
    }),
    endpoint({
      method: 'get',
      path: '/api/campaigns/:campaign_id/forecast',
      tag: 'Campaigns',
      summary: 'Say how the rest of a campaign would go',
      description:
        'A dry run of the contacts that are left, from now on and as if the campaign were not paused. Once twenty of its calls are over, their share of answers and length of talk are assumed of the others.',
      access: byKey,
      scope: 'read',
      input: { params: campaignParams },
      answer: answers('How the rest would go', simulatedCampaign),
      refusals: [campaignNotFound(), campaignNotEditable('completed')],
      handle: async ({ params }, client) => {
        const forecast = await shares.run(client.id, () =>
          forecastCampaign(deps, params.campaign_id, client),
        );
        if (forecast === null) throw shareTaken();
        return forecast;
      },
      present: presentSimulatedCampaign,
    }),
  ];
};
