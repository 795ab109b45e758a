import type { Endpoint } from './http/endpoint';
import { agentEndpoints } from './agents/routes';
import { auditEndpoints } from './account/audit-routes';
import { callEndpoints } from './calls/routes';
import { campaignEndpoints } from './campaigns/routes';
import { consoleSessionEndpoints } from './console/session-routes';
import { doNotDisturbEndpoints } from './account/do-not-disturb-routes';
import { healthEndpoints } from './health/route';
import { keyEndpoints } from './account/key-routes';
import { listenInEndpoints } from './calls/listen-in/routes';
import { keySessionEndpoints } from './account/session-routes';
import { limitsEndpoints } from './calls/limits-route';
import { recordingEndpoints } from './calls/recording-route';
import type { RouteTools } from './dependencies/route-tools';
import { transcriptEndpoints } from './calls/transcript-route';
import { triggerCallEndpoints } from './calls/trigger-call';
import { webhookSecretEndpoints } from './account/secret-routes';
import { webhookDeliveryEndpoints } from './webhooks/routes';

/** All endpoints, in the order of the OpenAPI document. */
export const allEndpoints = (tools: RouteTools): Endpoint[] => [
  ...agentEndpoints(tools),
  ...triggerCallEndpoints(tools),
  ...callEndpoints(tools),
  ...listenInEndpoints(tools),
  ...transcriptEndpoints(tools),
  ...recordingEndpoints(tools),
  ...campaignEndpoints(tools),
  ...webhookDeliveryEndpoints(tools),
  ...webhookSecretEndpoints(tools),
  ...limitsEndpoints(tools),
  ...healthEndpoints(tools),
  ...doNotDisturbEndpoints(tools),
  ...keyEndpoints(tools),
  ...keySessionEndpoints(tools),
  ...auditEndpoints(tools),
  ...consoleSessionEndpoints(tools),
];
