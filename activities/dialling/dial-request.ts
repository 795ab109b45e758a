/** The request that asks the carrier to dial. */
import type { DialIntent } from '../../db/calls/engine';
import { maxTalkSeconds, type ResolvedConfig } from '../../domain/agent-config';
import { templateVariables } from '../../domain/effective-config';
import type { DialRequest } from '../telephony/port';

export function dialRequest(
  reference: string,
  start: Extract<DialIntent, { medium: 'telephony' }>,
  {
    config,
    from,
    ringTimeoutS,
    disclosure,
  }: { config: ResolvedConfig; from: string | null; ringTimeoutS: number; disclosure: string },
): DialRequest {
  const { system_prompt: prompt, greeting_message: greeting } = config.persona.identity;
  return {
    reference,
    to: start.to,
    from,
    notAfter: new Date(start.notAfter),
    ringTimeoutS,
    maxTalkS: maxTalkSeconds(config),
    amd: config.experience.settings.call_settings.enable_voicemail_detection,
    agent: {
      name: start.agentName,
      greeting: [disclosure, greeting.agent_message].filter(Boolean).join(' '),
      prompt,
    },
    variables: templateVariables(config, start),
  };
}
