import { setImmediate as aMoment } from 'node:timers/promises';
import { changeAgentConfig, type StoredAgentConfig } from '../../db/agents/changes';
import { findAgent } from '../../db/agents/agents';
import type { Db } from '../../db/kernel/connection';
import {
  insertDispatchedCall,
  outboundCallId,
  withdrawDispatchedCall,
  type DispatchInsertion,
} from '../../db/calls/dispatched-calls';
import { onlyRow, rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { dispatchedRow } from './support/dispatched-row';
import { EngineDatabase, type Owner } from './support/engine-database';
import { Random } from './support/random';

const actor = { kind: 'operator', id: 'test', requestId: null } as const;
type ConfigOf = (stored: StoredAgentConfig) => Record<string, unknown>;

/** The current version and the fifty versions before it. */
const MAX_UNUSED = 51;

describeWith('postgres', 'the versions of an agent', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  /** Changes the agent's configuration; by default, to one that contains the number of the new version. */
  const change = (configOf: ConfigOf = ({ version }) => ({ persona: { mark: version + 1 } })) =>
    changeAgentConfig(engine.db, {
      ...owner,
      numbers: [],
      numberRule: { registeredOnly: false },
      revise: (stored) => ({
        revision: { config: configOf(stored), status: 'running', route: { kind: 'none' } },
      }),
      fields: ['persona'],
      actor,
      now: engine.now,
    });
  const changeTimes = async (times: number, configOf?: ConfigOf) => {
    for (let n = 0; n < times; n++) expect((await change(configOf)).kind).toBe('updated');
  };
  const current = async (): Promise<number> =>
    (await findAgent(engine.db, owner.organizationId, owner.agentId))?.version ?? 0;
  const versions = async (): Promise<number[]> =>
    (await engine.db('agent_versions').where({ agent_id: owner.agentId }).orderBy('version')).map(
      ({ version }) => version,
    );
  const configs = async (): Promise<number> =>
    (await engine.db('agent_configs').where({ agent_id: owner.agentId })).length;
  const upTo = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_none, index) => first + index);

  async function dispatch(
    agentVersion: number,
    db: Db = engine.db,
  ): Promise<{ callId: string; insertion: DispatchInsertion }> {
    const callId = outboundCallId(engine.now);
    const row = { ...dispatchedRow(owner, callId, engine.now), agentVersion };
    const insertion = await insertDispatchedCall(db, row);
    return { callId, insertion };
  }

  test('keeps the current version, the fifty before it, and all versions that a call used', async () => {
    const used = [1, 7, 100];
    for (const version of used) {
      await changeTimes(version - (await current()));
      expect((await dispatch(version)).insertion).toBe('inserted');
    }
    await changeTimes(201 - (await current()));
    expect(await versions()).toEqual([...used, ...upTo(151, 201)]);
    expect(await configs()).toBe(MAX_UNUSED + used.length);
  });

  test("dials a campaign's call with the configuration from the call's creation, even after many agent changes", async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await changeTimes(60);
    expect(await versions()).toEqual([1, ...upTo(11, 61)]);
    expect(await engine.begin(callId)).toMatchObject({
      kind: 'ask',
      config: { persona: { identity: { system_prompt: 'Talk.' } } },
    });
  });

  test('stores equal configurations once, even if the agent switches back and forth between two', async () => {
    const text = (n: number) => `${n} `.repeat(20_000);
    const toAndFro: ConfigOf = ({ version }) => ({ persona: { text: text(version % 2) } });
    // Measures the main forks only, because autovacuum adds a free space map of one page.
    const bytes = async () =>
      (
        await onlyRow<{ n: number }>(
          engine.db,
          `select sum(pg_relation_size(part))::int as n
             from pg_class as stored
                  left join pg_index on indrelid in (stored.oid, stored.reltoastrelid),
                  unnest(array[stored.oid, stored.reltoastrelid, indexrelid]) as part
            where stored.oid = 'agent_configs'::regclass`,
        )
      ).n;
    await changeTimes(2, toAndFro);
    const before = await bytes();
    await changeTimes(120, toAndFro);
    expect(await bytes()).toBe(before);
    expect(await configs()).toBe(2);
    expect(await versions()).toHaveLength(MAX_UNUSED);
  });

  test('returns the whole configuration of an older version', async () => {
    const first = { persona: { b: [1, { c: null }], a: 'x' } };
    await change(() => first);
    await change();
    await change(() => ({ persona: { a: 'x', b: [1, { c: null }] } }));
    expect((await findAgent(engine.db, owner.organizationId, owner.agentId))?.config).toEqual(first);
    expect(await configs()).toBe(3);
  });

  test('keeps a version that an open transaction used for a call, without waiting for its commit', async () => {
    const trx = await engine.db.transaction();
    const { callId } = await dispatch(1, trx);
    await changeTimes(60);
    expect(await versions()).toEqual([1, ...upTo(11, 61)]);
    await trx.commit();
    await changeTimes(1);
    expect(await versions()).toEqual([1, ...upTo(12, 62)]);
    expect(await engine.call(callId)).toMatchObject({ agent_version: 1 });
  });

  test('removes a version at the next change if the transaction of its first call was rolled back', async () => {
    const trx = await engine.db.transaction();
    await dispatch(1, trx);
    await changeTimes(60);
    await trx.rollback();
    await changeTimes(1);
    expect(await versions()).toEqual(upTo(12, 62));
  });

  test('rejects a call that needs a removed version, and stores nothing for it', async () => {
    await changeTimes(60);
    const { callId, insertion } = await dispatch(1);
    expect(insertion).toBe('version_removed');
    expect(await engine.db('calls').where({ call_id: callId })).toEqual([]);
    expect(await engine.db('audit_log').where({ subject_id: callId })).toEqual([]);
  });

  test('makes a call wait while its version is being removed', async () => {
    await changeTimes(50);
    const removal = await engine.db.transaction();
    await engine.within(removal, () => change());
    const refused = dispatch(1);
    await engine.untilBlocked();
    await removal.commit();
    expect((await refused).insertion).toBe('version_removed');

    const undone = await engine.db.transaction();
    await engine.within(undone, () => change());
    const taken = dispatch(2);
    await engine.untilBlocked();
    await undone.rollback();
    expect((await taken).insertion).toBe('inserted');
  });

  test('accepts ten concurrent first calls of a version', async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => dispatch(1)));
    expect(taken.map(({ insertion }) => insertion)).toEqual(Array(10).fill('inserted'));
  });

  describe('versions during simultaneous changes, dispatches and claims', () => {
    const LAST = 220;

    /** Dispatches with a version that is about to be removed or was just removed. */
    async function dispatchLate(random: Random): Promise<string | null> {
      const version = await current();
      const until = version + 49 + random.below(4);
      while ((await current()) < Math.min(until, LAST)) await aMoment();
      const { callId, insertion } = await dispatch(version);
      if (insertion === 'version_removed') return null;
      if (random.below(4) === 0) await withdrawDispatchedCall(engine.db, callId);
      return callId;
    }

    test.each([1, 2, 3])(
      'keeps the configuration of every call while versions change: seed %d',
      async (seed) => {
        const random = new Random(seed);
        await change();
        const work = { isDone: false };
        const changing = async () => {
          while ((await current()) < LAST) expect((await change()).kind).toBe('updated');
        };
        const dispatching = async () => {
          const made: (string | null)[] = [];
          while (!work.isDone) made.push(await dispatchLate(random));
          return made;
        };
        const claiming = async () => {
          while (!work.isDone) {
            const campaignId = await engine.campaign(owner, { contacts: 1 });
            expect((await engine.claim(campaignId)).claimed).toHaveLength(1);
          }
        };
        const others = [...Array.from({ length: 6 }, dispatching), claiming().then(() => [])];
        await Promise.all([changing(), changing(), changing()]).finally(() => (work.isDone = true));
        const made = (await Promise.all(others)).flat();
        // How many dispatches come too late depends on timing. The tests above always reject one.
        expect(made).toContainEqual(expect.any(String));

        const withoutTheirs = await rows(
          engine.db,
          `select k.call_id, k.agent_version, f.config from calls k
         left join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version
         left join agent_configs f on f.id = v.config_id
         where k.agent_id = :agentId and k.agent_version > 1
           and (f.config #>> '{persona,mark}')::integer is distinct from k.agent_version`,
          { agentId: owner.agentId },
        );
        expect(withoutTheirs).toEqual([]);
        const unused = await engine.db('agent_versions').where({ agent_id: owner.agentId, used: false });
        expect(unused.length).toBeLessThanOrEqual(MAX_UNUSED);
        expect(await configs()).toBe((await versions()).length);
      },
    );
  });
});
