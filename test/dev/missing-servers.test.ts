/** Checks the output and exit status of a test run when a server is missing. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/stack/repository';
import { temporaryFolder } from './temporary-folder';

const root = repositoryRoot();

/** Runs a suite that needs a server in a separate jest project. */
function runWithout(kind: string, environment: NodeJS.ProcessEnv) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(
    join(folder, 'page.test.ts'),
    `import { describeWith } from ${JSON.stringify(join(root, 'test/servers/availability'))};
     describeWith('${kind}', 'the page', () => { test('opens', () => undefined); });`,
  );
  const config = {
    rootDir: folder,
    transform: { '\\.ts$': join(root, 'node_modules/@swc/jest') },
    reporters: [join(root, 'test/servers/report-missing.js')],
  };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  return spawnSync(process.execPath, [jest, '--config', JSON.stringify(config)], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      TEST_SERVERS_FOLDER: folder,
      [`TEST_MISSING_${kind}`]: 'Install the package chromium.',
      ...environment,
    },
  });
}

test.each([
  ['chromium', {}, 0],
  ['chromium', { REQUIRE_SERVERS: 'true' }, 1],
  ['chromium', { CI: 'true' }, 1],
  ['postgres', {}, 1],
])(
  'names the suite and the remedy when %s is missing, and exits with the right status: %j → %d',
  (kind, set, status) => {
    const { stderr, status: ended } = runWithout(kind, set);
    expect(stderr).toContain('  the page\nInstall the package chromium.');
    expect(ended).toBe(status);
  },
);

test('requires every server in each npm script that runs suites by name', () => {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const runs = Object.entries(scripts).filter(
    ([name, command]) => /^test:/.test(name) && /\bjest\b/.test(command),
  );
  expect(runs.map(([name]) => name).sort()).toEqual(['test:console', 'test:long', 'test:sip']);
  for (const [, command] of runs) expect(command).toMatch(/REQUIRE_SERVERS=true jest --config/);
});
