/**
 * Reduces the memory of conversation processes, which are forked with this process's V8 flags and environment. LiveKit's worker has no
 * option for them.
 */
import { join } from 'node:path';

type Forking = Pick<NodeJS.Process, 'execArgv' | 'env'>;

/** In MiB. With Node's default of 16, young objects, of which audio has many, take 32 MiB; with 2 they take 4. */
const SEMI_SPACE = '--max-semi-space-size';
const SEMI_SPACE_MIB = 2;
/** Otherwise glibc keeps freed memory separately for each of the 24 threads. */
const ARENAS = 'MALLOC_ARENA_MAX';
const MOST_ARENAS = '2';

/** Keeps a package from being loaded. */
const PRELOADED = join(__dirname, '..', 'job', 'without-pictures.js');

/** Applies to all processes forked from now on. Values set by the operator are kept. */
export function limitJobMemory(forking: Forking = process, preloaded = PRELOADED): void {
  const { execArgv, env } = forking;
  const isSet = [...execArgv, env.NODE_OPTIONS ?? ''].some((one) => one.includes(SEMI_SPACE));
  if (!isSet) execArgv.push(`${SEMI_SPACE}=${SEMI_SPACE_MIB}`);
  execArgv.push('--require', preloaded);
  env[ARENAS] ??= MOST_ARENAS;
}
