import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { valueAt } from '../../domain/json';

/**
 * Silences the log of LiveKit's participant SDK, whose lines contain participant identities and thus callers' phone numbers. The SDK has no
 * setting for this, so its logger is loaded from its files; throws when a newer release keeps it elsewhere.
 */
export function silenceParticipantSdk(): void {
  const requireHere = createRequire(__filename);
  const file = join(dirname(requireHere.resolve('@livekit/rtc-node')), 'log.cjs');
  const exported: unknown = requireHere(file);
  const log = valueAt(exported, 'log');
  if (typeof log !== 'object' || log === null || !('level' in log))
    throw new Error('the SDK no longer has its logger in log.cjs');
  log.level = 'silent';
}
