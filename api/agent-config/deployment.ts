import { isJsonObject } from '../../workflows/domain/json';
import { e164, group, list } from './fields';

export const deploymentSchema = group('The numbers an agent calls from and answers', {
  phone: group('Telephony', {
    call_type: group('By direction', {
      Inbound: e164('Number whose callers the agent answers; empty removes inbound routing').allow('', null),
      Outbound: list('Numbers the agent may dial from', e164('Caller ID')),
    }),
  }),
}).label('Deployment');

/**
 * The section without the wrapping `deployment` key that its own endpoint asks for and create-agent allows.
 * Stored without it. Unknown keys beside the wrapper are kept beside the section's own.
 */
export function unwrapDeployment(section: unknown): unknown {
  if (!isWrapped(section)) return section;
  const { deployment, ...beside } = section;
  return { ...beside, ...deployment };
}

export function isWrapped(section: unknown): section is { deployment: object } {
  return isJsonObject(section) && isJsonObject(section.deployment);
}
