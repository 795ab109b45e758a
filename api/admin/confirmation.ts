import type { Terminal } from './terminal';
import { UsageError } from './usage-error';

/**
 * Asks before what cannot be taken back. Fails unless the answer is yes; without a terminal nobody can answer, and a script must say
 * `--yes` itself. `consequence` says what will happen, in a sentence.
 */
export async function confirm(terminal: Terminal, consequence: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!terminal.isInteractive) {
    throw new UsageError(`${consequence} There is no terminal to ask on: say --yes to do it`);
  }
  const answer = await terminal.ask(`${consequence}\nGo on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed');
}
