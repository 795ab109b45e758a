import type { Terminal } from './terminal';
import { UsageError } from './usage-error';

/**
 * Asks for confirmation and throws unless the answer is yes. Without a terminal a script must pass `--yes`. `consequence` is a sentence that
 * says what will happen.
 */
export async function confirm(terminal: Terminal, consequence: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!terminal.isInteractive) {
    throw new UsageError(`${consequence} Pass --yes to confirm, because there is no terminal`);
  }
  const answer = await terminal.ask(`${consequence}\nContinue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Cancelled. Nothing was changed');
}
