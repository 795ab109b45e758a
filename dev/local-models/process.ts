import { join } from 'node:path';
import type { ProcessPlan } from '../stack/processes';
import { answersOk } from '../stack/wait-until';
import { SPEECH_SERVER } from './install';

/** It loads its models before it listens: 6 s of one processor. */
const READY_WITHIN_MS = 120_000;

export const localModelsUrl = (port: number): string => `http://127.0.0.1:${port}/v1`;

/** The process that hears and speaks, for the stack to start beside its own. */
export function localModelsProcess(options: {
  repository: string;
  python: string;
  port: number;
  environment: NodeJS.ProcessEnv;
}): Omit<ProcessPlan, 'cwd'> {
  const { PATH, HOME, LANG } = options.environment;
  return {
    name: 'local-models',
    command: options.python,
    args: [join(options.repository, SPEECH_SERVER), '--port', String(options.port)],
    // Nothing of the platform's: it is a program of others.
    env: { PATH, HOME, LANG, PYTHONDONTWRITEBYTECODE: '1' },
    ready: () => answersOk(`http://127.0.0.1:${options.port}/health`),
    readyTimeoutMs: READY_WITHIN_MS,
  };
}
