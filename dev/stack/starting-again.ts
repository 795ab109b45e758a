import { errorText } from '../error-text';
import type { RunningProcess, Supervision } from './processes';

const RESTARTS_IN_A_ROW = 5;
const QUIET_MS = 60_000;

/**
 * Restarts a process that died, which is safe because its state is in Postgres and Temporal. Calls `giveUp` if the process keeps dying.
 */
export function startingAgain({
  say,
  isStopping,
  giveUp = () => undefined,
}: {
  say: (line: string) => void;
  isStopping: () => boolean;
  giveUp?: (ended: RunningProcess, reason: string) => void;
}): NonNullable<Supervision['onUnexpectedEnd']> {
  const restarts = new Map<string, { count: number; atMs: number }>();

  async function startAgain(ended: RunningProcess, reason: string): Promise<void> {
    if (isStopping()) return;
    const last = restarts.get(ended.name);
    const count = last !== undefined && Date.now() - last.atMs < QUIET_MS ? last.count + 1 : 1;
    restarts.set(ended.name, { count, atMs: Date.now() });
    if (count > RESTARTS_IN_A_ROW) {
      say(
        `${ended.name} ${reason} ${count} times in a row and will not be restarted.\n${await ended.lastLines()}`,
      );
      giveUp(ended, reason);
      return;
    }
    say(`${ended.name} ${reason}. Restarting it. (Log: ${ended.logFile})`);
    await ended.start().catch((error: unknown) => {
      say(errorText(error));
      return startAgain(ended, 'did not start');
    });
  }

  return (ended, reason) => void startAgain(ended, reason);
}
