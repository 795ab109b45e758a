/** Tests how the platform decides when an agent requests a transfer. */
import { addDndNumbers } from '../../db/calls/do-not-disturb';
import { ONLY_TRUNK } from '../../db/calls/engine';
import { startTransfer, type TransferRequest } from '../../db/calls/transfers';
import { describeWith } from '../servers/availability';
import { NO_GUARDS } from '../servers/no-guards';
import { EngineDatabase, type Owner } from './support/engine-database';

const TO = '+912250001234';
const NO_BREAKERS = { ...NO_GUARDS.breakers, failureDials: 1 };

describeWith('postgres', 'startTransfer()', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    await engine.db('trunks').delete();
  });

  const transfer = (
    callId: string,
    {
      breakers = NO_BREAKERS,
      dialEveryMs = null,
      ...more
    }: Partial<TransferRequest & TransferRequest['guards']> = {},
  ) => {
    const guards = { trunk: ONLY_TRUNK, dialEveryMs, breakers };
    const request = { callId, number: TO, fault: null, shown: '+91*******34', credits: 10, guards, ...more };
    return startTransfer(engine.db, request, engine.now);
  };
  async function live(who = owner): Promise<string> {
    const callId = await engine.dispatch(who);
    await engine.dial(callId);
    return callId;
  }
  const spent = async (id: string): Promise<number> =>
    Number((await engine.db('spend').where({ owner_id: id }).first())?.credits ?? 0);
  const audit = (callId: string): Promise<any[]> =>
    engine.db('audit_log').where({ subject_id: callId }).orderBy('id');

  test('allows the transfer of a live call, adds its cost to the spend, and writes an audit entry for the agent', async () => {
    const callId = await live();
    expect(await transfer(callId)).toMatchObject({ kind: 'allowed', waitMs: 0 });
    expect(await spent(owner.organizationId)).toBe(10);
    expect((await audit(callId)).at(-1)).toMatchObject({
      action: 'call.transfer',
      actor_kind: 'agent',
      actor_id: owner.agentId,
      organization_id: owner.organizationId,
      fields: ['+91*******34'],
    });
  });

  test("adds the cost of a transfer to the spend of the call's campaign", async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await transfer(callId);
    expect([await spent(owner.organizationId), await spent(campaignId)]).toEqual([10, 10]);
  });

  test.each([
    ['to a number on the do-not-disturb list', 'dnd'],
    ['of a call that is over', 'call_over'],
    ['of a call with a hang-up request', 'call_over'],
    ['of a call that was not dialled', 'call_over'],
    ['of a browser session', 'call_over'],
    ['to a refused destination', 'destination'],
    ['past the organization’s spend limit', 'spend'],
    ['past the configured spend limit', 'spend'],
  ])('rejects a transfer %s as %s, without spend but with an audit entry', async (what, reason) => {
    const isDialled = what !== 'of a call that was not dialled';
    const callId = isDialled ? await live() : await engine.dispatch(owner);
    const change = (columns: object) => engine.db('calls').where({ call_id: callId }).update(columns);
    const { organizationId } = owner;
    let more: Parameters<typeof transfer>[1] = {};
    if (reason === 'dnd') {
      await engine.db.transaction((trx) =>
        addDndNumbers(trx, { organizationId, numbers: [TO], source: 'test', now: engine.now }),
      );
    } else if (what === 'of a call that is over') await engine.end(callId, 'callee');
    else if (what === 'of a call with a hang-up request')
      await change({ hang_up_requested_at: new Date(engine.now) });
    else if (what === 'of a browser session') await change({ medium: 'webrtc' });
    else if (reason === 'destination') more = { number: null, fault: 'destination' };
    else if (reason === 'spend') {
      const day = new Date(engine.now).toISOString().slice(0, 10);
      await engine.db('spend').insert({ owner_id: organizationId, day, credits: 50 });
      if (what.includes('organization'))
        await engine.db('organizations').where({ id: organizationId }).update({ spend_per_day: 50 });
      else more = { breakers: { ...NO_BREAKERS, organizationSpendPerDay: 50 } };
    }
    const before = await spent(organizationId);
    expect(await transfer(callId, more)).toMatchObject({ kind: 'refused', reason });
    expect(await spent(organizationId)).toBe(before);
    expect((await audit(callId)).at(-1)).toMatchObject({
      action: 'call.transfer_refused',
      fields: ['+91*******34', reason],
    });
  });

  test('returns unknown for an unknown call, and writes nothing', async () => {
    expect(await transfer('outbound-1-none')).toEqual({ kind: 'unknown' });
    expect(await audit('outbound-1-none')).toEqual([]);
  });

  test('allows a number that only another organization has listed', async () => {
    const { organizationId } = await engine.owner();
    await engine.db.transaction((trx) =>
      addDndNumbers(trx, { organizationId, numbers: [TO], source: 'test', now: engine.now }),
    );
    expect(await transfer(await live())).toMatchObject({ kind: 'allowed' });
  });

  test('rejects the sixth and later requests of a call, and writes no audit entries for them', async () => {
    const callId = await live();
    for (let n = 0; n < 4; n++) await transfer(callId, { number: null, fault: 'destination' });
    expect(await transfer(callId)).toMatchObject({ kind: 'allowed' });
    for (let n = 0; n < 3; n++)
      expect(await transfer(callId)).toMatchObject({ kind: 'refused', reason: 'too_many' });
    const actions = (await audit(callId))
      .map(({ action }) => action)
      .filter((action) => action.startsWith('call.transfer'));
    expect(actions).toHaveLength(5);
    expect(await spent(owner.organizationId)).toBe(10);
  });

  test('takes a slot on the trunk as a dial does, and rejects a slot more than three seconds ahead', async () => {
    const every = { dialEveryMs: 2_000 };
    const calls = [await live(), await live(), await live()];
    expect(await transfer(calls[0] ?? '', every)).toMatchObject({ kind: 'allowed', waitMs: 0 });
    expect(await transfer(calls[1] ?? '', every)).toMatchObject({ kind: 'allowed', waitMs: 2_000 });
    expect(await transfer(calls[2] ?? '', every)).toMatchObject({ kind: 'refused', reason: 'pace' });
    const next = await engine.dispatch(owner);
    expect(await engine.begin(next, { trunk: ONLY_TRUNK, dialEveryMs: 2_000 })).toMatchObject({
      kind: 'paced',
      waitMs: 4_000,
    });
  });

  test('stops ten simultaneous transfers of an organization after the first that reaches its spend limit', async () => {
    const calls = [];
    for (let n = 0; n < 8; n++) calls.push(await live());
    const breakers = { ...NO_BREAKERS, organizationSpendPerDay: 20 };
    const decisions = await Promise.all(calls.map((callId) => transfer(callId, { breakers })));
    expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(2);
    expect(await spent(owner.organizationId)).toBe(20);
  });
});
