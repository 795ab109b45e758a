import { join } from 'node:path';
import type { ProcessPlan } from '../stack/processes';
import { answersOk } from '../stack/wait-until';
import { SPEECH_SERVER } from './install';

/** The process loads its models before it listens, which takes 6 s of CPU time. */
const READY_WITHIN_MS = 120_000;

export const localModelsUrl = (port: number): string => `http://127.0.0.1:${port}/v1`;

/** Describes the process that recognises and synthesises speech. The stack starts it together with its own processes. */
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
    // The process gets none of the platform's variables, because it runs third-party code.
    env: { PATH, HOME, LANG, PYTHONDONTWRITEBYTECODE: '1' },
    ready: () => answersOk(`http://127.0.0.1:${options.port}/health`),
    readyTimeoutMs: READY_WITHIN_MS,
  };
}
