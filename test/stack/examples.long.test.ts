/** Runs the example commands on a real platform. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../../dev/remove-folder';
import { repositoryRoot } from '../../dev/stack/repository';
import { describeWith } from '../servers/availability';
import { Platform, START_WITHIN_MS } from './support/platform';

const RUN_WITHIN_MS = 120_000;

describeWith('temporal', 'an example', () => {
  let platform: Platform;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'examples-'));
    platform = await Platform.open({ ringMs: 50, talkMs: 300 });
    const { key } = await platform.newOrganization();
    env = { ...process.env, VOICE_API_URL: platform.stack.apiUrl, VOICE_API_KEY: key };
  }, START_WITHIN_MS);
  afterAll(async () => {
    await platform.close();
    await removeFolder(folder);
  });

  const run = async (...args: string[]): Promise<string> => {
    const program = join(repositoryRoot(), 'dist/examples/main.js');
    const all = [program, ...args, '--window', '00:00-24:00'];
    return (await promisify(execFile)(process.execPath, all, { env, timeout: RUN_WITHIN_MS })).stdout;
  };

  test(
    'reminds every contact, and says why some were not reached',
    async () => {
      const printed = await run('reminder');
      expect(printed).toMatch(/^completed: 5 contacts, 0 in a call, 3 reached, 2 not reached$/m);
      expect(printed).toMatch(/^Asha Rao: completed/m);
      expect(printed).toMatch(/^Joseph Mathew: .+/m);
    },
    RUN_WITHIN_MS + 10_000,
  );

  test(
    'conducts the survey, and reports a row for each contact',
    async () => {
      const report = join(folder, 'report.csv');
      expect(await run('survey', '--report', report)).toMatch(
        /^completed: 4 contacts, 0 in a call, 3 reached/m,
      );
      const rows = (await readFile(report, 'utf8')).trim().split('\n');
      expect(rows).toHaveLength(5);
      expect(rows.join('\n')).toContain('+919876500270');
    },
    RUN_WITHIN_MS + 10_000,
  );
});
