/** Tests which calls to people who opted out in a call are prevented. `conclusions.test.ts` tests how their numbers get onto the list. */
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';

describeWith('postgres', 'a person who asked not to be called again', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  /** Lists the number as concluding a call does. With a null `opted_out_in_call`, lists it as an operator does. */
  const list = async (callId: string, opted_out_in_call: string | null = 'outbound-1-said') =>
    engine.db('dnd_numbers').insert({
      organization_id: owner.organizationId,
      phone_number: (await engine.call(callId)).to_number,
      source: 'asked for in a call',
      added_at: new Date(START),
      opted_out_in_call,
    });
  const dispatched = async (columns: object): Promise<string> => {
    const callId = await engine.dispatch(owner);
    await engine.db('calls').where({ call_id: callId }).update(columns);
    return callId;
  };
  async function inCampaign(): Promise<string> {
    const campaignId = await engine.campaign(owner, { contacts: 1, performDndCheck: false });
    return (await engine.feed(owner, campaignId)).granted[0] ?? '';
  }

  test('dials no opted-out number in a campaign that skips the check, but dials numbers that an operator listed', async () => {
    const callId = await inCampaign();
    await list(callId);
    expect(await engine.begin(callId)).toEqual({ kind: 'dnd' });
    await engine.db('dnd_numbers').update({ opted_out_in_call: null });
    expect(await engine.begin(callId)).toMatchObject({ kind: 'ask' });
  });

  test('does not call back a person who opted out, even if the dispatch skips the check', async () => {
    const first = await dispatched({ dnd_check_skipped: true });
    const callback = await dispatched({ dnd_check_skipped: true, callback_of: first });
    await list(callback);
    expect(await engine.begin(callback)).toEqual({ kind: 'dnd' });
  });

  test('dials an opted-out number in a dispatch only if that dispatch skips the check', async () => {
    const [checked, skipped] = [await engine.dispatch(owner), await dispatched({ dnd_check_skipped: true })];
    await list(checked);
    expect(await engine.begin(checked)).toEqual({ kind: 'dnd' });
    expect(await engine.begin(skipped)).toMatchObject({ kind: 'ask' });
  });

  test('dials the number for another organization', async () => {
    const callId = await inCampaign();
    await list(callId);
    owner = await engine.owner();
    expect(await engine.begin(await inCampaign())).toMatchObject({ kind: 'ask' });
  });
});
