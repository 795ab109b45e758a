/** Replaces SECRETS_KEY. Encrypted data must stay readable throughout, even after a crash, and finally without the old key. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitUntil } from '../../dev/stack/wait-until';
import { AgentSecrets } from '../../api/agents/config/secrets';
import { openAnswer, sealAnswer } from '../../api/http/idempotency';
import { insertDispatchedCall } from '../../db/calls/dispatched-calls';
import { reserveKey, storeAnswer } from '../../db/organizations/idempotency-keys';
import { keyIdOf, onlyKey, type SecretsKeys } from '../../db/kernel/secrets-keys';
import { activeSecrets, issueSigningSecret } from '../../db/webhooks/signing-secrets';
import { dispatchedRow } from '../db/support/dispatched-row';
import type { Owner } from '../db/support/engine-database';
import { AdminConsole } from './support/admin-console';
import { emptyTables } from './support/empty-tables';

const MAIN = join(__dirname, '..', '..', 'dist', 'api', 'admin', 'main.js');
const OWNERS = 3;
const OLD = randomBytes(32);
const NEW = randomBytes(32);
const BOTH: SecretsKeys = { current: NEW, previous: OLD };

jest.setTimeout(60_000);

let admin: AdminConsole;
let owners: (Owner & { secret: string })[];

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  await emptyTables(admin.db, [
    ...['organizations', 'api_keys', 'agents', 'agent_versions', 'agent_configs', 'signing_secrets'],
    ...['all_calls', 'idempotency_keys', 'audit_log'],
  ]);
  admin.secretsKeys = BOTH;
  owners = [];
  for (let n = 0; n < OWNERS; n += 1) owners.push(await ownerOf(onlyKey(OLD)));
});
afterAll(() => admin.close());

const configOf = (token: string): any => ({
  persona: {
    actions: { order: { type: 'http_request', headers: { Authorization: `Bearer ${token}`, Accept: 'x' } } },
    senses_capabilities: { brain: { llm: { primary: { provider: 'custom', auth_token: token } } } },
  },
});
const subjectOf = (organizationId: string): string => `outbound-1-${organizationId}`;

/** Creates an owner with one of everything that is stored encrypted. */
async function ownerOf(keys: SecretsKeys): Promise<Owner & { secret: string }> {
  const { db, engine } = admin;
  const owner = await engine.owner();
  const { organizationId } = owner;
  const { secret } = await issueSigningSecret(db, organizationId, keys);
  const secrets = new AgentSecrets({ secretsKeys: keys, organizationId });
  const config = JSON.stringify(secrets.seal(configOf(secret)));
  await db.raw('select store_version(:agentId, :config::jsonb, :status, now())', {
    ...{ agentId: owner.agentId, config, status: 'running' },
  });
  const modifyAgent = secrets.seal(configOf(`${secret} of a call`));
  const callId = subjectOf(organizationId);
  await insertDispatchedCall(db, {
    ...dispatchedRow(owner, callId, engine.now),
    agentVersion: 2,
    modifyAgent,
  });
  const request = {
    organizationId,
    key: 'a key',
    fingerprint: Buffer.of(1),
    subjectId: callId,
    now: engine.now,
  };
  const state = await reserveKey(db, request);
  if (state.kind !== 'reserved') throw new Error('the idempotency key is taken');
  await storeAnswer(db, state.reservation, sealAnswer({ secret }, callId, keys), engine.now);
  return { ...owner, secret };
}

/** Checks that these keys decrypt everything of every owner. */
async function opens(keys: SecretsKeys): Promise<void> {
  const { db, engine } = admin;
  for (const { organizationId, agentId, secret } of owners) {
    expect(await activeSecrets(db, organizationId, keys, engine.now)).toEqual([secret]);
    const secrets = new AgentSecrets({ secretsKeys: keys, organizationId });
    const versions = await db('agent_versions as v')
      .join('agent_configs as f', 'f.id', 'v.config_id')
      .where({ 'v.agent_id': agentId })
      .whereNot({ 'v.version': 1 })
      .pluck('f.config');
    expect(versions.length).toBeGreaterThan(0);
    for (const config of versions) expect(secrets.open(config)).toEqual(configOf(secret));
    const call = await db('calls').where({ organization_id: organizationId }).first();
    expect(secrets.open(call.modify_agent)).toEqual(configOf(`${secret} of a call`));
    const { answer, subject_id: subject } = await db('idempotency_keys')
      .where({ organization_id: organizationId })
      .first();
    expect(openAnswer(answer, subject, keys)).toEqual({ secret });
  }
}

const reEncrypted = () => admin.run('secrets re-encrypt');
const left = async (): Promise<number> => (await admin.json('secrets re-encrypt --count')).left;

test('decrypts everything with both keys beforehand, and with the new key alone afterwards', async () => {
  await opens(BOTH);
  expect(await left()).toBe(4 * OWNERS);
  const { status, out } = await reEncrypted();
  expect(status).toBe(0);
  for (const what of [
    'signing secrets',
    'stored answers',
    'configurations of agents',
    'dispatches with modify_agent',
  ])
    expect(out).toMatch(new RegExp(`${what} +${OWNERS} +0`));
  expect(out).toContain('Remove it after 24 hours');
  admin.secretsKeys = onlyKey(NEW);
  expect(await left()).toBe(0);
  await opens(onlyKey(NEW));
  const again = await admin.json('secrets re-encrypt');
  expect(again.tables.map(({ renewed }: any) => renewed)).toEqual([0, 0, 0, 0]);
});

test('makes the old key useless, with an error that names both keys by id', async () => {
  await reEncrypted();
  const [owner] = owners;
  const names = [NEW, OLD].map((key) => keyIdOf(key).toString('hex'));
  await expect(
    activeSecrets(admin.db, owner?.organizationId ?? '', onlyKey(OLD), admin.engine.now),
  ).rejects.toThrow(
    `sealed with SECRETS_KEY ${names[0]}, but this process has ${names[1]}. Set the missing key as SECRETS_KEY_PREVIOUS`,
  );
});

test('changes nothing without the old key, and reports how many rows need it', async () => {
  admin.secretsKeys = onlyKey(NEW);
  const { status, out, err } = await reEncrypted();
  expect([status, out]).toEqual([1, '']);
  expect(err).toContain(`${4 * OWNERS} rows cannot be decrypted with either key`);
  await opens(onlyKey(OLD));
});

test('skips and counts a row that neither key decrypts', async () => {
  const strange = await ownerOf(onlyKey(randomBytes(32)));
  const { status, err } = await reEncrypted();
  expect(status).toBe(1);
  expect(err).toContain('1 signing secrets, 1 stored answers, 1 configurations of agents');
  await opens(onlyKey(NEW));
  await admin.db('signing_secrets').where({ organization_id: strange.organizationId }).delete();
  expect(await left()).toBe(3);
});

test('re-encrypts in the next run rows that another process still encrypted with the old key', async () => {
  await reEncrypted();
  owners.push(await ownerOf({ current: OLD, previous: NEW }));
  expect(await left()).toBe(4);
  expect((await reEncrypted()).status).toBe(0);
  await opens(onlyKey(NEW));
});

test('merges equal configurations encrypted with the old and the new key, and keeps both versions', async () => {
  const [owner] = owners;
  if (owner === undefined) throw new Error('there is no owner');
  const secrets = new AgentSecrets({ secretsKeys: BOTH, organizationId: owner.organizationId });
  const config = JSON.stringify(secrets.seal(configOf(owner.secret)));
  await admin.db.raw('select store_version(:agentId, :config::jsonb, :status, now())', {
    ...{ agentId: owner.agentId, config, status: 'running' },
  });
  expect((await reEncrypted()).status).toBe(0);
  const versions = await admin.db('agent_versions').where({ agent_id: owner.agentId }).orderBy('version');
  expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
  expect(versions[2].config_id).toBe(versions[1].config_id);
  expect(await admin.db('agent_configs').where({ agent_id: owner.agentId })).toHaveLength(2);
  await opens(onlyKey(NEW));
});

test('loses no configuration that is stored during the run', async () => {
  const storing = owners.map(async ({ organizationId, agentId, secret }) => {
    const secrets = new AgentSecrets({ secretsKeys: BOTH, organizationId });
    for (let n = 0; n < 5; n += 1) {
      const config = JSON.stringify(secrets.seal(configOf(secret)));
      await admin.db.raw('select store_version(:agentId, :config::jsonb, :status, now())', {
        ...{ agentId, config, status: 'running' },
      });
    }
  });
  const [{ status }] = await Promise.all([reEncrypted(), ...storing]);
  expect([status, await left()]).toEqual([0, 0]);
  const versions = await admin.db('agent_versions').whereNot({ version: 1 });
  expect(versions).toHaveLength(6 * OWNERS);
  await opens(onlyKey(NEW));
});

test('ignores text from an API client that only looks encrypted', async () => {
  const [owner] = owners;
  const config = { persona: { identity: { system_prompt: 'sealed:v1:AAAAAAAAAAAA' } } };
  await admin.db.raw('select store_version(:agentId, :config::jsonb, :status, now())', {
    ...{ agentId: owner?.agentId ?? '', config: JSON.stringify(config), status: 'running' },
  });
  const { status } = await reEncrypted();
  expect([status, await left()]).toEqual([0, 0]);
});

test('records the run in the audit log if it changes something', async () => {
  await reEncrypted();
  await reEncrypted();
  const records = await admin.db('audit_log').where({ action: 'secrets.re-encrypt' });
  expect(records).toHaveLength(1);
});

describe('a killed process of secrets re-encrypt', () => {
  const start = () => {
    const child = spawn(process.execPath, [MAIN, 'secrets', 're-encrypt', '--json'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: admin.engine.url,
        SECRETS_KEY: NEW.toString('base64'),
        SECRETS_KEY_PREVIOUS: OLD.toString('base64'),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { child, ended: once(child, 'close') };
  };

  test.each([
    ['signing_secrets', 'id', 'true'],
    ['idempotency_keys', 'organization_id', 'true'],
    ['agent_configs', 'id', "config::text like '%sealed%'"],
    ['calls', 'call_id', 'true'],
  ])(
    'keeps every secret readable for a second run if the first one is killed in %s',
    async (table, key, isSealed) => {
      const { db } = admin;
      const rowKeys = await db(table).whereRaw(isSealed).orderBy(key).pluck(key);
      const blocker = await db.transaction();
      await blocker(table)
        .where({ [key]: rowKeys[Math.floor(rowKeys.length / 2)] })
        .forUpdate();
      const { child, ended } = start();
      const isWaiting = waitUntil({
        what: 'the command at the locked row',
        timeoutMs: 30_000,
        check: async () => {
          const { rows } = await db.raw(
            `select from pg_stat_activity
           where datname = current_database() and application_name = 'admin' and wait_event_type = 'Lock'`,
          );
          return rows.length === 1;
        },
      });
      await isWaiting.finally(async () => {
        child.kill('SIGKILL');
        await ended;
        await blocker.rollback();
      });
      await opens(BOTH);
      const half = await left();
      expect(half).toBeGreaterThan(0);
      expect(half).toBeLessThan(4 * OWNERS);
      expect((await reEncrypted()).status).toBe(0);
      expect(await left()).toBe(0);
      await opens(onlyKey(NEW));
    },
  );
});
