import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPython } from '../../../dev/toolchain/python';
import { temporaryFolder } from '../temporary-folder';

async function program(folder: string, name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

test('prefers a newer Python to an outdated python3 next to it', async () => {
  const folder = temporaryFolder();
  await program(folder, 'python3', 'echo 3.9');
  await program(folder, 'python3.12', 'echo 3.12');
  expect(await findPython({ PATH: folder }, 'a voice')).toEqual({ path: 'python3.12', version: '3.12' });
});

test('reports the versions found and how to get Python if none is new enough', async () => {
  const folder = temporaryFolder();
  await program(folder, 'python3', 'echo 3.9');
  const error = await findPython({ PATH: folder }, 'a voice').catch(String);
  expect(error).toContain(
    'Python 3.10 or newer was not found (python3: it is 3.9). It is needed for a voice.',
  );
  expect(error).toContain('apt-get install python3');
  expect(error).toContain('PYTHON_PATH');
});

test('uses PYTHON_PATH, and names it in the error if it fails', async () => {
  const folder = temporaryFolder();
  await program(folder, 'python3', 'echo 3.12');
  const own = await program(folder, 'own', 'echo 3.10');
  expect(await findPython({ PATH: folder, PYTHON_PATH: own }, 'a voice')).toEqual({
    path: own,
    version: '3.10',
  });
  const error = findPython({ PATH: folder, PYTHON_PATH: '/nowhere/python' }, 'a voice');
  await expect(error).rejects.toThrow('/nowhere/python: there is no such program');
});
