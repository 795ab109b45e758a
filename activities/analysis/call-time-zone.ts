import type { EndedCall } from '../../db/calls/conclusions';
import { effectiveConfig, templateVariables } from '../../domain/effective-config';
import { timeZoneOf } from '../../domain/local-time';
import type { ActivityDependencies } from '../dependencies';

/** Returns the person's time zone, by the same rule as the agent during the call. */
export function callTimeZone(
  { settings, log }: Pick<ActivityDependencies, 'settings' | 'log'>,
  call: Pick<EndedCall, 'callId' | 'agentConfig' | 'modifyAgent' | 'variables' | 'name'>,
): string {
  const config = effectiveConfig(call.agentConfig, call.modifyAgent);
  return timeZoneOf(templateVariables(config, call), {
    fallback: settings.analysis.timeZone,
    onUnknown: () => log.warn({ call_id: call.callId }, 'the variable timezone is not a known time zone'),
  });
}
