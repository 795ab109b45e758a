import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silent } from '../../../dev/progress';
import { findTemporalServer } from '../../../dev/toolchain/temporal-server';
import { temporaryFolder } from '../temporary-folder';

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(join(root, 'bin'));
});

const search = () => ({
  configuredPath: undefined,
  environment: { PATH: `${join(root, 'bin')}:/bin:/usr/bin` },
  cacheFolder: join(root, 'cache'),
  onProgress: silent,
});

function program(name: string, script: string): string {
  const path = join(root, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** Creates a fake Go. Like `go install`, it puts each package's program into GOBIN under the folder's name. */
function compiler(version: string): void {
  program(
    'go',
    `for name in server sql; do printf '#!/bin/sh\\necho "temporal version ${version}"\\n' > "$GOBIN/$name"; chmod +x "$GOBIN/$name"; done`,
  );
}

test("builds Temporal's server and schema tool once, under their release names, and then uses the cache", async () => {
  compiler('1.31.2');
  const built = await findTemporalServer(search());
  expect(built).toMatchObject({ origin: 'build', version: 'temporal version 1.31.2' });
  const folder = join(root, 'cache', 'temporal-server-v1.31.2');
  expect([built.path, built.sqlTool]).toEqual([
    join(folder, 'temporal-server'),
    join(folder, 'temporal-sql-tool'),
  ]);
  expect(await findTemporalServer(search())).toMatchObject({ origin: 'cache' });
});

test('uses a Temporal server on PATH together with the schema tool in the same folder', async () => {
  program('temporal-server', 'echo "temporal version 1.32.0"');
  const sqlTool = program('temporal-sql-tool', 'true');
  expect(await findTemporalServer(search())).toMatchObject({ origin: 'PATH', sqlTool });
});

test.each([
  ['without the tool in the same folder', '1.31.2', 'temporal-sql-tool is missing in the same folder'],
  ['that is too old', '1.22.0', '1.22 is older than 1.31'],
])('rejects a configured Temporal server %s', async (_title, version, message) => {
  const configuredPath = program('temporal-server', `echo "temporal version ${version}"`);
  await expect(findTemporalServer({ ...search(), configuredPath })).rejects.toThrow(message);
});
