import type { Endpoint } from '../endpoint';
import { agentEndpoints } from './agents';
import { callEndpoints } from './calls';
import { campaignEndpoints } from './campaigns';
import { changeAgentEndpoints } from './change-agent';
import { createAgentEndpoints } from './create-agent';
import { createCampaignEndpoints } from './create-campaign';
import { limitsEndpoints } from './limits';
import { recordingEndpoints } from './recording';
import type { RouteTools } from './route-tools';
import { simulateCampaignEndpoints } from './simulate-campaign';
import { transcriptEndpoints } from './transcript';
import { triggerCallEndpoints } from './trigger-call';
import { webhookDeliveryEndpoints } from './webhook-deliveries';

/** Everything that a client can ask, in the order of the document. */
export const allEndpoints = (tools: RouteTools): Endpoint[] => [
  ...createAgentEndpoints(tools),
  ...agentEndpoints(tools),
  ...changeAgentEndpoints(tools),
  ...triggerCallEndpoints(tools),
  ...callEndpoints(tools),
  ...transcriptEndpoints(tools),
  ...recordingEndpoints(tools),
  // Before the endpoints with an id, which `create` and `simulate` would be taken for.
  ...createCampaignEndpoints(tools),
  ...simulateCampaignEndpoints(tools),
  ...campaignEndpoints(tools),
  ...webhookDeliveryEndpoints(tools),
  ...limitsEndpoints(tools),
];
