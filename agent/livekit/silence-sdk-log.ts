import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { valueAt } from '../../workflows/domain/json';

/**
 * Silences the lines that LiveKit's SDK of participants writes by itself: they name participants, and those of callers are their numbers.
 * It has no setting for that, so its own logger is looked for in its files. Throws where a newer release keeps it elsewhere.
 */
export function silenceParticipantSdk(): void {
  const requireHere = createRequire(__filename);
  const file = join(dirname(requireHere.resolve('@livekit/rtc-node')), 'log.cjs');
  const exported: unknown = requireHere(file);
  const log = valueAt(exported, 'log');
  if (typeof log !== 'object' || log === null || !('level' in log))
    throw new Error('the SDK logs otherwise now');
  log.level = 'silent';
}
