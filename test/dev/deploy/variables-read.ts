import { VARIABLES } from '../../../config';
import type { Process } from '../../../config/variable';

const ofProcess = (process: Process): string[] =>
  Object.entries(VARIABLES)
    .filter(([, { readBy }]) => (readBy as readonly Process[]).includes(process))
    .map(([name]) => name);

/** Variables of each process that is a service in Compose. */
export const variablesReadBy: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (['api', 'worker', 'admin', 'agent', 'migrate'] as const).map((process) => [process, ofProcess(process)]),
);
