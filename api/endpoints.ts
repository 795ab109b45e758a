import { auditEndpoints } from './account/audit';
import { doNotDisturbEndpoints } from './account/do-not-disturb';
import { keyEndpoints } from './account/keys';
import { limitsEndpoints } from './account/limits';
import { keySessionEndpoints } from './account/sessions';
import { agentEndpoints } from './agents/routes';
import { callEndpoints } from './calls/routes';
import { consoleSessionEndpoints } from './console/session-routes';
import { campaignEndpoints } from './campaigns/routes';
import { contactListEndpoints } from './contact-lists/routes';
import type { RouteTools } from './dependencies';
import { healthEndpoints } from './health/routes';
import { ruleEndpoints } from './rules/routes';
import type { Endpoint } from './http/endpoint';
import { webhookEndpoints } from './webhooks/routes';

/** In the order of the OpenAPI document. */
export const allEndpoints = (tools: RouteTools): Endpoint[] => [
  ...agentEndpoints(tools),
  ...callEndpoints(tools),
  ...campaignEndpoints(tools),
  ...ruleEndpoints(tools),
  ...contactListEndpoints(tools),
  ...webhookEndpoints(tools),
  ...limitsEndpoints(tools),
  ...healthEndpoints(tools),
  ...doNotDisturbEndpoints(tools),
  ...keyEndpoints(tools),
  ...keySessionEndpoints(tools),
  ...auditEndpoints(tools),
  ...consoleSessionEndpoints(tools),
];
