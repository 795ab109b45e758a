import { join } from 'node:path';
import { RunningProcess } from '../../dev/stack/processes';
import { freePort } from '../../dev/stack/ports';
import { repositoryRoot } from '../../dev/stack/repository';
import { answersOk } from '../../dev/stack/wait-until';
import { installPythonPackages } from '../../dev/toolchain/python-packages';
import type { Run } from './open-servers';
import { orMissing } from './open-temporal';
import { publish } from './published';

const READY_WITHIN_MS = 30_000;

/** Starts moto, which speaks S3's protocol and stores objects in memory. Each test creates its own bucket. */
export async function openS3(run: Run): Promise<void> {
  await orMissing('s3', async () => {
    const requirements = join(repositoryRoot(), 'test', 'servers', 's3', 'requirements.txt');
    const { python } = await installPythonPackages({
      name: 's3-server',
      title: 'an S3 server',
      downloadMb: 30,
      requirements,
      environment: process.env,
      onProgress: run.onProgress,
    });
    const port = await freePort(5_700);
    const url = `http://127.0.0.1:${port}`;
    const server = new RunningProcess(
      {
        name: 's3-server',
        command: python,
        args: ['-m', 'moto.server', '--host', '127.0.0.1', '--port', String(port)],
        // Passes no other variables, so that no proxy setting comes between the tests and this process.
        env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
        cwd: run.folder,
        ready: () => answersOk(`${url}/moto-api/`),
        readyTimeoutMs: READY_WITHIN_MS,
      },
      run.supervision,
    );
    await server.start();
    run.closing.add('the S3 server', () => server.stop());
    publish('TEST_S3_URL', url);
  });
}
