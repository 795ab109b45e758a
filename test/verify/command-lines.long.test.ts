import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../dev/stack/repository';

test.each(['bench', 'compose', 'faults', 'histories', 'mutants', 'simulation'])(
  'exits with status 2 for an unknown option of %s',
  async (name) => {
    const program = join(repositoryRoot(), 'dist', 'verify', name, 'main.js');
    const ended = promisify(execFile)(process.execPath, [program, '--wrong']);
    await expect(ended).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown option "--wrong"'),
    });
  },
);
