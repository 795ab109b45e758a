/** Tests the packed TypeScript client, installed in an empty folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packTypescriptClient } from '../../dev/release/artifacts';

const ROOT = join(__dirname, '../..');
const NAMES = [
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
];
let folder: string;

/** Long, because npm and the compiler are slow on a busy machine. */
jest.setTimeout(240_000);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
  await packTypescriptClient(ROOT, folder);
  const [tarball = ''] = readdirSync(folder);
  mkdirSync(join(folder, 'program'));
  file('package.json', '{"private": true}');
  inFolder('npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => writeFileSync(join(folder, 'program', name), text);
const inFolder = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: join(folder, 'program'), encoding: 'utf8', stdio: 'pipe' });

test('declares its version, licence, engines and entry points, and includes the licence but no dependencies', () => {
  const read = (path: string) => readFileSync(join(folder, 'program/node_modules', path), 'utf8');
  const manifest = JSON.parse(read('voice-agent-platform-client/package.json'));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version, license: 'Apache-2.0', engines: { node: '>=20.19' } });
  expect(manifest.private).toBeUndefined();
  expect(Object.keys(manifest.exports)).toEqual(['.', './verify-webhook', './package.json']);
  expect(read('voice-agent-platform-client/LICENSE')).toContain('Apache License');
  expect(readdirSync(join(folder, 'program/node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'voice-agent-platform-client',
  ]);
});

test('loads with require', () => {
  file(
    'program.cjs',
    `const names = ['', '/verify-webhook'].flatMap((entry) => Object.keys(require('voice-agent-platform-client' + entry)));
     console.log(JSON.stringify(names.sort()));`,
  );
  expect(JSON.parse(inFolder(process.execPath, 'program.cjs'))).toEqual(NAMES);
});

test('provides each named export to `import`', () => {
  const names = NAMES.filter((name) => name !== 'verifyWebhook');
  file(
    'program.mjs',
    `import { ${names.join(', ')} } from 'voice-agent-platform-client';
     import { verifyWebhook } from 'voice-agent-platform-client/verify-webhook';
     console.log([${NAMES.join(', ')}].filter((one) => one === undefined).length);`,
  );
  expect(inFolder(process.execPath, 'program.mjs').trim()).toBe('0');
});

test.each(['cts', 'mts'])(
  'includes types that accept a correct request and reject a wrong one in a .%s file',
  (kind) => {
    file(
      `typed.${kind}`,
      `import { VoiceAgentClient } from 'voice-agent-platform-client';
     import { verifyWebhook } from 'voice-agent-platform-client/verify-webhook';
     const client = new VoiceAgentClient({ baseUrl: 'http://127.0.0.1', apiKey: 'key' });
     export const call = client.post('/api/trigger-call/', {
       body: { agent_id: 'a', contact_number: '+919876543200', name: 'Asha' } });
     // @ts-expect-error A path that the API lacks.
     export const wrong = client.get('/api/none');
     export const verify: Function = verifyWebhook;`,
    );
    inFolder(
      process.execPath,
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'],
      ...['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node', `typed.${kind}`],
    );
  },
);
