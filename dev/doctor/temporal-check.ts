import { temporalAnswers } from '../stack/temporal';
import { withinTime } from '../stack/wait-until';
import type { Check } from './check';

const ANSWER_MS = 5_000;

/** The Temporal that the demo and `npm start` use instead of starting one; null where the variable is not set. */
export async function configuredTemporalCheck(
  address: string | undefined,
  namespace: string,
): Promise<Check | null> {
  if (!address) return null;
  const line = { group: 'servers', title: 'TEMPORAL_ADDRESS', onlyFor: null } as const;
  const where = `${address}, namespace ${namespace}`;
  const answers = await withinTime(temporalAnswers(address, namespace), ANSWER_MS).catch(() => false);
  if (answers) return { ...line, state: 'ok', found: `Temporal answers at ${where}`, remedy: null };
  const remedy = 'start that server, correct the variable, or unset it: a server is then started';
  return { ...line, state: 'missing', found: `no Temporal answers at ${where}`, remedy };
}
