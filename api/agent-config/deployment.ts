import { isJsonObject } from '../../workflows/domain/json';
import { e164, e164OrEmpty, group, list, section } from './fields';

export const deploymentSchema = section('Deployment', 'The numbers an agent calls from and answers', {
  phone: group('Telephony', {
    call_type: group('By direction', {
      Inbound: e164OrEmpty('Number whose callers the agent answers; empty removes inbound routing'),
      Outbound: list('Numbers the agent may dial from', 2_000, e164('Caller ID')),
    }),
  }),
});

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
