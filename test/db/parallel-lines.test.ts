/** Tests twenty simultaneous connections, using a log of taken and freed lines that triggers write. */
import { applyProgress } from '../../db/calls/events';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const CONNECTIONS = 20;
const ORGANIZATION_LINES = 5;
const CAMPAIGN_LINES = 3;
const CONTACTS = 25;
const DISPATCHES = 10;
const CALLS = 3 * CONTACTS + DISPATCHES;

const LEDGER = `
create table line_ledger (n bigserial, change integer, call_id text, organization_id uuid, campaign_id uuid);
create function keep_ledger() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into line_ledger (change, call_id, organization_id, campaign_id) values (1, new.call_id, new.organization_id, new.campaign_id);
  else
    insert into line_ledger (change, call_id, organization_id, campaign_id) values (-1, old.call_id, old.organization_id, old.campaign_id);
  end if;
  return null;
end $$;
create trigger keep_ledger after insert or delete on lines for each row execute function keep_ledger();`;

/** Returns SQL for the maximum number of lines held at once, computed in the order in which they were taken and freed. */
const PEAK = (owner: 'organization_id' | 'campaign_id') => `
select max(held) as peak from (
  select sum(change) over (partition by ${owner} order by n) as held from line_ledger where ${owner} is not null
) counted`;

describeWith('postgres', 'twenty connections that dial and end calls at once', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open(CONNECTIONS);
    await engine.db.raw(LEDGER);
    owner = await engine.owner(ORGANIZATION_LINES);
  });
  afterAll(() => engine.close());

  test('stays within every maximum, causes no deadlock, and ends every contact once', async () => {
    const campaigns: string[] = [];
    for (let n = 0; n < 3; n++) {
      campaigns.push(
        await engine.campaign(owner, { contacts: CONTACTS, concurrency: CAMPAIGN_LINES, maxAttempts: 1 }),
      );
    }
    const granted: string[] = [];
    let dispatches = DISPATCHES;
    const over = new Set<string>();

    const live = async (callId: string): Promise<void> => {
      const start = await engine.begin(callId);
      if (start.kind !== 'ask') throw new Error(`granted and ${start.kind}`);
      const at = new Date(engine.now).toISOString();
      const stages = ['dialing', 'ringing', 'answered'].map((type) => ({ callId, type }));
      await Promise.all([
        engine.place(callId),
        applyProgress(
          engine.db,
          stages.map(({ type }) => ({
            reference: callId,
            carrierId: `sim-${callId}`,
            type: type as 'dialing' | 'ringing' | 'answered',
            at,
          })),
          { now: engine.now, creditsPerMinute: 1 },
        ),
      ]);
      const ends = await Promise.all([engine.end(callId, 'agent'), engine.end(callId, 'agent')]);
      over.add(callId);
      granted.push(...ends.flatMap((end) => end?.granted ?? []));
    };

    const feed = async (nth: number): Promise<void> => {
      if (dispatches-- > 0) {
        const callId = await engine.dispatch(owner, { queued: false });
        granted.push(...(await engine.register(owner, [callId])).granted);
      }
      const page = await engine.claim(campaigns[nth % 3] ?? '', { limit: 4 });
      granted.push(...page.granted);
      const callIds = page.claimed.map(({ callId }) => callId);
      granted.push(...(await engine.register(owner, callIds)).granted);
    };

    const worker = async (nth: number): Promise<void> => {
      for (let turn = nth; over.size < CALLS; turn++) {
        const callId = granted.shift();
        await (callId === undefined ? feed(turn) : live(callId));
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_none, nth) => worker(nth)));

    const peakOf = async (who: 'organization_id' | 'campaign_id') =>
      (await rows<{ peak: number }>(engine.db, PEAK(who)))[0]?.peak;
    expect(await peakOf('organization_id')).toBe(ORGANIZATION_LINES);
    expect(await peakOf('campaign_id')).toBeLessThanOrEqual(CAMPAIGN_LINES);
    expect(await violations(engine)).toEqual([]);
    for (const campaignId of campaigns) {
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: CONTACTS, failed: 0 });
    }
    const calls = await engine.db('calls').where({ organization_id: owner.organizationId });
    expect(calls).toHaveLength(CALLS);
    expect(calls.every(({ stage }) => stage === 'over')).toBe(true);
  }, 60_000);
});
