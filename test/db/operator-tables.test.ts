/** Tests simultaneous changes by operators, and the cost of recording a key's use. */
import { randomBytes } from 'node:crypto';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { organizationOfKey, issueApiKey, noteKeyUse } from '../../db/organizations/api-keys';
import type { Db } from '../../db/kernel/connection';
import { addDndNumbers, countDndNumbers } from '../../db/calls/do-not-disturb';
import { activeSecrets, addSigningSecret, rotateSigningSecret } from '../../db/webhooks/signing-secrets';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START } from './support/engine-database';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const secretsKeys = onlyKey(randomBytes(32));

describeWith('postgres', 'the tables of operators', () => {
  let engine: EngineDatabase;
  let organizationId: string;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  beforeEach(async () => {
    ({ organizationId } = await engine.owner());
  });
  afterAll(() => engine.close());

  const signing = () => activeSecrets(engine.db, organizationId, secretsKeys, START);

  const add = (trx: Db) => addSigningSecret(trx, { organizationId, secretsKeys, now: START });
  const rotate = (trx: Db) =>
    rotateSigningSecret(trx, { organizationId, secretsKeys, overlapMs: HOUR_MS, now: START });

  test.each([
    ['add', add],
    ['rotate', rotate],
  ])('lets one of two operators who %s a secret at once succeed', async (_verb, change) => {
    await engine.db.transaction(add);
    const first = await engine.db.transaction();
    expect((await change(first)).kind).toBe('added');
    const second = engine.db.transaction(change);
    await engine.untilBlocked();
    await first.commit();
    expect((await second).kind).toBe('too many');
    expect(await signing()).toHaveLength(2);
  });

  test('accepts overlapping lists in opposite orders without a deadlock', async () => {
    const [low, high] = ['+919000000001', '+919000000002'];
    const adding = (trx: Db, numbers: string[]) =>
      addDndNumbers(trx, { organizationId, numbers, source: 'import', now: START });
    const first = await engine.db.transaction();
    await adding(first, [low]);
    const second = engine.db.transaction((trx) => adding(trx, [high, low]));
    await engine.untilBlocked();
    expect(await adding(first, [high])).toBe(1);
    await first.commit();
    expect(await second).toBe(0);
    expect(await countDndNumbers(engine.db, organizationId)).toBe(2);
  });

  test("adds none of a list's numbers if one of them can't be added", async () => {
    const numbers = [...Array.from({ length: 15_000 }, (_, n) => `+91${9_000_000_000 + n}`), '+99\0'];
    const adding = engine.db.transaction((trx) =>
      addDndNumbers(trx, { organizationId, numbers, source: 'import', now: START }),
    );
    await expect(adding).rejects.toThrow();
    expect(await countDndNumbers(engine.db, organizationId)).toBe(0);
  });

  test('returns the organization and the id of a key, but no hash', async () => {
    const { id, key } = await issueApiKey(engine.db, organizationId);
    expect(await organizationOfKey(engine.db, key, START)).toEqual({
      ...{
        id: organizationId,
        name: 'A client',
        maxConcurrency: 10,
        callerLines: 8,
        spendPerDay: null,
        keyId: id,
      },
      rateLimits: { dispatchPerMinute: null, otherPerMinute: null },
      quotas: {},
      ...{ keyName: key.slice(0, 12), scopes: null, lastUsedAt: null },
    });
    expect(await organizationOfKey(engine.db, `${key}x`, START)).toBeUndefined();
  });

  test.each([[[]], [['read', 'write']]])('rejects a key with the scopes %j', async (scopes) => {
    const issued = issueApiKey(engine.db, organizationId, { scopes: scopes as never });
    await expect(issued).rejects.toThrow('api_keys_scopes_check');
  });

  test('records the use of a key at most once a minute across processes', async () => {
    await engine.db.raw(`create table key_writes (at timestamptz);
      create function note_write() returns trigger language plpgsql as $$
        begin insert into key_writes values (new.last_used_at); return null; end $$;
      create trigger note_write after update on api_keys for each row execute function note_write()`);
    const { id } = await issueApiKey(engine.db, organizationId);
    const use = (now: number) =>
      Promise.all(Array.from({ length: 10 }, () => noteKeyUse(engine.db, id, now)));
    for (const now of [START, START + MINUTE_MS - 1, START + MINUTE_MS]) await use(now);
    const written = await engine.db('key_writes').orderBy('at').pluck('at');
    expect(written).toEqual([new Date(START), new Date(START + MINUTE_MS)]);
  });
});
