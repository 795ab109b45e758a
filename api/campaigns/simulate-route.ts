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

/** A run takes up to half a second of CPU in small pieces. Two at once leave enough for other requests; an organization may have one. */
const LIMITS = { most: 2, mostOfOne: 1, waiting: 40, waitingOfOne: 10, waitMs: 8_000 };

export const simulateCampaignEndpoints = ({ deps }: RouteTools): Endpoint[] => {
  const shares = new Shares(LIMITS);
  return [
    endpoint({
      method: 'post',
      path: '/api/campaigns/simulate',
      tag: 'Campaigns',
      summary: 'Simulate a campaign without making calls',
      description:
        "Accepts and rejects the same requests as create. It stores and starts nothing. It runs the engine's own rules over assumed calls, so the same request at the same time has the same result.",
      access: byKey,
      scope: 'read',
      errors: 'envelope',
      input: { body: simulateCampaignBody },
      answer: answers('The simulated campaign', simulatedCampaign),
      refusals: CREATION_REFUSALS,
      handle: async ({ body }, organization) => {
        const simulated = await shares.run(organization.id, () => simulateCampaign(deps, body, organization));
        if (simulated === null) throw shareTaken();
        return simulated;
      },
      present: presentSimulatedCampaign,
    }),
    endpoint({
      method: 'get',
      path: '/api/campaigns/:campaign_id/forecast',
      tag: 'Campaigns',
      summary: 'Forecast the rest of a campaign',
      description:
        'Simulates the remaining contacts from now on, as if the campaign were not paused. Once twenty of its calls are over, their answer rate and talk time are used as assumptions.',
      access: byKey,
      scope: 'read',
      input: { params: campaignParams },
      answer: answers('The forecast', simulatedCampaign),
      refusals: [campaignNotFound(), campaignNotEditable('completed')],
      handle: async ({ params }, organization) => {
        const forecast = await shares.run(organization.id, () =>
          forecastCampaign(deps, params.campaign_id, organization),
        );
        if (forecast === null) throw shareTaken();
        return forecast;
      },
      present: presentSimulatedCampaign,
    }),
  ];
};
