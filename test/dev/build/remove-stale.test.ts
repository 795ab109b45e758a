import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeStale } from '../../../dev/build/remove-stale';
import { temporaryFolder } from '../temporary-folder';

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .sort();

test('removes outputs of earlier builds whose source no longer exists', async () => {
  const root = temporaryFolder();
  const files = [
    ...['api/settings/index.ts', 'api/main.ts', 'dev/doctor/main.js', 'agent/main.ts'],
    ...['dist/api/settings.js', 'dist/api/settings/index.js', 'dist/api/main.js', 'dist/dev/doctor/main.js'],
    ...[
      'dist/workflow-bundle.js',
      'dist/db/functions/one.sql',
      'agent/dist/agent/main.js',
      'agent/dist/agent/mind.js',
    ],
  ];
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  const stale = ['dist/api/settings.js', 'agent/dist/agent/mind.js'];
  expect((await removeStale(root)).sort()).toEqual([...stale].sort());
  expect(filesOf(root)).toEqual(files.filter((file) => !stale.includes(file)).sort());
});
