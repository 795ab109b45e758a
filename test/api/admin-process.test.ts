/** Runs the compiled command in its own process, as a shell would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EngineDatabase } from '../db/support/engine-database';

const MAIN = join(__dirname, '..', '..', 'dist', 'api', 'admin', 'main.js');
let engine: EngineDatabase;

beforeAll(async () => {
  engine = await EngineDatabase.open();
});
afterAll(() => engine.close());

async function admin(args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, err };
}

const complete = () => ({
  DATABASE_URL: engine.url,
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  TEMPORAL_ADDRESS: '127.0.0.1:1',
});

test('prints help on standard output without any environment variables', async () => {
  const { status, out, err } = await admin(['--help']);
  expect([status, err]).toEqual([0, '']);
  expect(out).toContain('Usage: npm run admin -- <noun> <verb> [options]');
});

test('names every missing environment variable', async () => {
  const { status, out, err } = await admin(['org', 'list']);
  expect([status, out]).toEqual([1, '']);
  expect(err).toMatch(/DATABASE_URL is required[^]*SECRETS_KEY is required/);
});

test('prints only the result on standard output', async () => {
  const made = await admin(['org', 'create', '--name', 'Sahara', '--json'], complete());
  expect([made.status, made.err]).toEqual([0, '']);
  const { id } = JSON.parse(made.out);
  const again = await admin(['org', 'create', '--name', 'Sahara', '--json'], complete());
  expect([again.status, again.err]).toEqual([0, expect.stringContaining('same name')]);
  expect(JSON.parse(again.out).id).not.toBe(id);
});

test('exits without asking for confirmation when there is no terminal', async () => {
  const owner = await engine.owner();
  const { status, out, err } = await admin(['dnd', 'clear', '--org', owner.organizationId], complete());
  expect([status, out]).toEqual([1, '']);
  expect(err).toContain('Pass --yes');
});

test('pauses a campaign while Temporal is unreachable, and exits', async () => {
  const id = await engine.campaign(await engine.owner());
  const { status, out, err } = await admin(['campaign', 'pause', id], complete());
  expect([status, out]).toEqual([0, 'A campaign is paused.\n']);
  expect(err).toContain("Temporal isn't responding at TEMPORAL_ADDRESS");
  expect((await engine.db('campaigns').where({ id }).first()).status).toBe('paused');
});
