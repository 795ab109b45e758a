/** Tests the limits on callbacks to one number of an organization. */
import { createHash } from 'node:crypto';
import { concludeCall, type CallbackRequest } from '../../db/calls/conclusions';
import { erasePerson } from '../../db/organizations/people';
import { forgetCaps } from '../../db/organizations/retention';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const NUMBER = '+919812345600';
const DAY_MS = 24 * 60 * MINUTE_MS;

describeWith('postgres', 'the limit of callbacks per number', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let requests = 0;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });
  afterEach(async () => {
    expect(await violations(engine)).toEqual([]);
  });

  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const request = (keys: string[]): CallbackRequest => ({
    id: `00000000-0000-4000-8000-${String(++requests).padStart(12, '0')}`,
    dueAt: engine.now + MINUTE_MS,
    callId: `outbound-callback-${requests}`,
    dialUntil: engine.now + 60 * MINUTE_MS,
    maxDepth: 3,
    toNumber: null,
    cap: { hashes: keys.map((key) => hash(`${key} ${NUMBER}`)), maxPerDay: 3 },
  });
  async function talk(by: Owner = owner, toNumber = NUMBER): Promise<string> {
    const callId = await engine.dispatch(by, { toNumber });
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(engine.now).toISOString() });
    return callId;
  }
  const conclude = (callId: string, callback: CallbackRequest) =>
    concludeCall(engine.db, {
      callId,
      findings: null,
      segments: [],
      webhook: null,
      callback,
      now: engine.now,
    });
  /** Requests a callback in a call. Returns the id of the new call, or null if none was scheduled. */
  const asks = async (keys = ['key'], by = owner): Promise<string | null> =>
    (await conclude(await talk(by), request(keys))).callback?.callId ?? null;
  async function endCallback(callId: string): Promise<void> {
    await engine.end(callId, 'cancelled');
    await conclude(callId, { ...request(['key']), cap: null, maxDepth: 0 });
  }

  test('allows one scheduled callback per number at a time', async () => {
    const first = await asks();
    expect(first).not.toBeNull();
    expect(await asks()).toBeNull();
    await endCallback(first ?? '');
    expect(await asks()).not.toBeNull();
  });

  test('allows the configured number of callbacks per UTC day, and more on the next day', async () => {
    for (let n = 0; n < 3; n++) await endCallback((await asks()) ?? '');
    expect(await asks()).toBeNull();
    engine.now += DAY_MS;
    expect(await asks()).not.toBeNull();
  });

  test("limits each organization's callbacks separately", async () => {
    const other = await engine.owner();
    expect(await asks()).not.toBeNull();
    expect(await asks(['of the other'], other)).not.toBeNull();
  });

  test('keeps the count while the secrets key is replaced', async () => {
    expect(await asks(['old'])).not.toBeNull();
    expect(await asks(['new', 'old'])).toBeNull();
  });

  test('allows one callback when two conversations with the number conclude at once', async () => {
    const [one, two] = [await talk(), await talk()];
    const made = await Promise.all([conclude(one, request(['key'])), conclude(two, request(['key']))]);
    expect(made.filter(({ callback }) => callback !== null)).toHaveLength(1);
  });

  test('counts a callback once if its call is concluded twice', async () => {
    const callId = await talk();
    const again = request(['key']);
    const { callback } = await conclude(callId, again);
    expect((await conclude(callId, request(['key']))).callback).toEqual(callback);
    expect(await engine.db('callback_caps').where({ organization_id: owner.organizationId })).toMatchObject([
      { scheduled: 1, last_call_id: callId },
    ]);
  });

  test("rejects a contact's callback while a dispatch's callback to the same number is open", async () => {
    await asks();
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    await engine.db('contacts').where({ campaign_id: campaignId }).update({ phone_number: NUMBER });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(engine.now).toISOString() });
    await concludeCall(engine.db, {
      callId,
      findings: null,
      segments: [],
      webhook: null,
      callback: request(['key']),
      now: engine.now,
    });
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'completed' });
  });

  test('keeps only a hash of the number for seven days after the person is erased', async () => {
    await endCallback((await asks()) ?? '');
    const erase = (trx: EngineDatabase['db']) =>
      erasePerson(
        trx,
        owner.organizationId,
        { number: NUMBER, spellings: [NUMBER.slice(1)] },
        { now: engine.now, hashOf: () => 'ff' },
      );
    expect(await engine.db.transaction(erase)).toMatchObject({ calls: 2 });
    const caps = () => engine.db('callback_caps').where({ organization_id: owner.organizationId });
    expect(JSON.stringify(await caps())).not.toContain('9812345600');
    await endCallback((await asks()) ?? '');
    await endCallback((await asks()) ?? '');
    expect(await asks()).toBeNull();
    await forgetCaps(engine.db, engine.now + 7 * DAY_MS);
    expect(await caps()).toHaveLength(1);
    await forgetCaps(engine.db, engine.now + 8 * DAY_MS);
    expect(await caps()).toEqual([]);
  });

  test('keeps the count while a callback is open', async () => {
    await asks();
    await forgetCaps(engine.db, engine.now + 30 * DAY_MS);
    expect(await engine.db('callback_caps').where({ organization_id: owner.organizationId })).toHaveLength(1);
  });
});
