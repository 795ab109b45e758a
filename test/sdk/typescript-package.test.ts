/** What a program gets that installs the TypeScript client. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the package is built from its folder, and loads with nothing else installed', () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'sdk/typescript', '--outDir', join(folder, 'dist')], {
    cwd: ROOT,
  });
  cpSync(join(ROOT, 'sdk/typescript/package.json'), join(folder, 'package.json'));
  writeFileSync(
    join(folder, 'program.js'),
    `const names = ['', '/verify-webhook'].flatMap((entry) => Object.keys(require('voice-agent-platform-client' + entry)));
     console.log(JSON.stringify(names.sort()));`,
  );
  const printed = execFileSync(process.execPath, [join(folder, 'program.js')], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual([
    'ApiError',
    'CALL_STATUSES',
    'CAMPAIGN_STATUSES',
    'CONTACT_STATES',
    'CampaignRefused',
    'ConnectionError',
    'InputError',
    'VoiceAgentClient',
    'captions',
    'verifyWebhook',
  ]);
});
