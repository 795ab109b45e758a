/**
 * Keeps the processes of conversations small. They are forked, with this process' V8 flags and environment, for which LiveKit's worker has no
 * option. With this and the voice that streams a conversation took 159 MiB for 209, 88 for 139 of its own (three at once);
 * without pictures 8 MiB less. Optimising for size, fewer threads of V8 and one arena saved nothing at the end of a conversation.
 */
import { join } from 'node:path';

type Forking = Pick<NodeJS.Process, 'execArgv' | 'env'>;

/** In MiB. Node's 16 let the youngest objects, of which audio has many, take 32 MiB; with 2 they take 4. */
const SEMI_SPACE = '--max-semi-space-size';
const SEMI_SPACE_MIB = 2;
/** glibc otherwise keeps what was freed apart for each of the 24 threads. */
const ARENAS = 'MALLOC_ARENA_MAX';
const MOST_ARENAS = '2';

/** Leaves a package out of them. */
const PRELOADED = join(__dirname, '..', 'job', 'without-pictures.js');

/** For all processes that are forked from now on. What the operator has set stays. */
export function limitJobMemory(forking: Forking = process, preloaded = PRELOADED): void {
  const { execArgv, env } = forking;
  const isSet = [...execArgv, env.NODE_OPTIONS ?? ''].some((one) => one.includes(SEMI_SPACE));
  if (!isSet) execArgv.push(`${SEMI_SPACE}=${SEMI_SPACE_MIB}`);
  execArgv.push('--require', preloaded);
  env[ARENAS] ??= MOST_ARENAS;
}
