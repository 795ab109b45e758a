import type { EndedCall } from '../../db/calls/conclusions';
import { effectiveConfig, templateVariables } from '../../domain/effective-config';
import { timeZoneOf } from '../../domain/local-time';
import type { ActivityDependencies } from '../dependencies';

/** The time zone of the person, as the agent took it during the call. */
export function callTimeZone(
  { settings, log }: Pick<ActivityDependencies, 'settings' | 'log'>,
  call: Pick<EndedCall, 'callId' | 'agentConfig' | 'modifyAgent' | 'variables' | 'name'>,
): string {
  const config = effectiveConfig(call.agentConfig, call.modifyAgent);
  return timeZoneOf(templateVariables(config, call), {
    fallback: settings.analysis.timeZone,
    onUnknown: () => log.warn({ call_id: call.callId }, 'the variable timezone names no time zone'),
  });
}
