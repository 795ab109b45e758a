/** Installs the local speech models and the packages that run them. */
import { join } from 'node:path';
import type { OnProgress } from '../progress';
import { installPythonPackages, type PythonPackages } from '../toolchain/python-packages';
import type { ProcessPlan } from '../stack/processes';
import { answersOk } from '../stack/wait-until';

const FOLDER = join('dev', 'local-models');
/** Size of pip's downloads for Python 3.11 on Linux x64. README.md lists the packages. */
export const DOWNLOAD_MB = 298;
/** Name of the models in messages. */
export const SPEECH = 'speech recognition and a voice';
/** Path of the program that serves the models, relative to the repository. */
const SPEECH_SERVER = join(FOLDER, 'python', 'main.py');

export const installLocalModels = (options: {
  repository: string;
  environment: NodeJS.ProcessEnv;
  onProgress: OnProgress;
}): Promise<PythonPackages> =>
  installPythonPackages({
    ...options,
    name: 'local-models',
    title: SPEECH,
    downloadMb: DOWNLOAD_MB,
    requirements: join(options.repository, FOLDER, 'requirements.txt'),
  });

/** The process loads its models before it listens, which takes 6 s of CPU time. */
const READY_TIMEOUT_MS = 120_000;

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
    readyTimeoutMs: READY_TIMEOUT_MS,
  };
}
