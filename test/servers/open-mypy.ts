import { join } from 'node:path';
import { repositoryRoot } from '../../dev/stack/repository';
import { installPythonPackages } from '../../dev/toolchain/python-packages';
import type { Run } from './open-servers';
import { orMissing } from './open-temporal';
import { publish } from './published';

/** Treats mypy like a server: installs it, or reports it as missing. Publishes the Python interpreter that has it. */
export async function openMypy(run: Run): Promise<void> {
  await orMissing('mypy', async () => {
    const { python } = await installPythonPackages({
      name: 'mypy',
      title: 'mypy',
      downloadMb: 17,
      requirements: join(repositoryRoot(), 'test', 'servers', 'mypy', 'requirements.txt'),
      environment: process.env,
      onProgress: run.onProgress,
    });
    publish('TEST_MYPY', python);
  });
}
