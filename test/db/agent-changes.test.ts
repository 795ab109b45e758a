import { randomUUID } from 'node:crypto';
import { reviseSection, type SectionChange } from '../../api/agents/revise-section';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { archiveAgent, changeAgentConfig } from '../../db/agents/changes';
import { findAgent, insertAgent } from '../../db/agents/agents';
import { describeWith } from '../servers/availability';
import { NO_NUMBERS } from '../servers/no-guards';
import { EngineDatabase, START, type Owner } from './support/engine-database';

const actor = { kind: 'api_key', id: 'key-1', requestId: 'request-1' } as const;
const inbound = (number: string) => ({ phone: { call_type: { Inbound: number } } });

describeWith('postgres', 'a change of an agent', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());

  const patch = (
    { organizationId, agentId }: Owner,
    {
      section = 'persona',
      change = {},
      fields = ['persona'],
    }: Partial<SectionChange> & { fields?: string[] },
  ) =>
    changeAgentConfig(engine.db, {
      organizationId,
      agentId,
      numbers: [],
      numberRule: { registeredOnly: false },
      revise: (stored) => reviseSection(stored, { section, change }),
      fields,
      actor,
      now: engine.now,
    });

  const agentOf = async ({ organizationId, agentId }: Owner) => {
    const agent = await findAgent(engine.db, organizationId, agentId);
    if (agent === undefined) throw new Error('the agent is unknown');
    return agent;
  };
  const versionsOf = (agentId: string) =>
    engine
      .db('agent_versions as v')
      .join('agent_configs as f', 'f.id', 'v.config_id')
      .where({ 'v.agent_id': agentId })
      .orderBy('version');
  const auditOf = (subjectId: string, action: string): Promise<any[]> =>
    engine.db('audit_log').where({ subject_id: subjectId, action });

  test('merges a change into the stored section and keeps the earlier versions', async () => {
    const owner = await engine.owner();
    engine.now += 60_000;
    const change = { identity: { personality: { tone: 'warm' } }, senses_capabilities: { language: 'hi' } };
    expect(await patch(owner, { change, fields: ['persona.identity.personality'] })).toEqual({
      kind: 'updated',
      version: 2,
      routes: [],
    });
    const merged = {
      persona: {
        identity: { system_prompt: 'Talk.', personality: { tone: 'warm' } },
        senses_capabilities: { language: 'hi' },
      },
    };
    const agent = await agentOf(owner);
    expect([agent.version, agent.config, agent.lastEditedAt.getTime()]).toEqual([2, merged, START + 60_000]);
    expect((await versionsOf(owner.agentId)).map(({ config }) => config)).toEqual([
      { persona: { identity: { system_prompt: 'Talk.' } } },
      merged,
    ]);
    expect(await auditOf(owner.agentId, 'agent.update')).toMatchObject([
      { organization_id: owner.organizationId, actor_id: 'key-1', fields: ['persona.identity.personality'] },
    ]);
  });

  test('creates a section that was not set before', async () => {
    const owner = await engine.owner();
    await patch(owner, { section: 'training', change: { knowledge: { use_rag: true } } });
    expect((await agentOf(owner)).config.training).toEqual({ knowledge: { use_rag: true } });
  });

  test('creates no version and no audit entry for a change that has no effect', async () => {
    const owner = await engine.owner();
    engine.now += 60_000;
    const change = { identity: { system_prompt: 'Talk.' } };
    expect(await patch(owner, { change })).toEqual({ kind: 'updated', version: 1, routes: [] });
    expect((await agentOf(owner)).lastEditedAt.getTime()).toBe(START);
    expect(await versionsOf(owner.agentId)).toHaveLength(1);
    expect(await auditOf(owner.agentId, 'agent.update')).toEqual([]);
  });

  test('sets the status to `initialized` without a system prompt, and to `running` with one', async () => {
    const owner = await engine.owner();
    await patch(owner, { change: { identity: { system_prompt: null } } });
    expect((await agentOf(owner)).status).toBe('initialized');
    await patch(owner, { change: { identity: { system_prompt: 'Speak.' } } });
    expect((await agentOf(owner)).status).toBe('running');
  });

  test('applies all of twenty simultaneous changes', async () => {
    const owner = await engine.owner();
    const keys = Array.from({ length: 20 }, (_none, index) => `key${index}`);
    await Promise.all(keys.map((key) => patch(owner, { change: { metadata: { [key]: 'set' } } })));
    const { config, version } = await agentOf(owner);
    expect(config.persona?.metadata).toEqual(Object.fromEntries(keys.map((key) => [key, 'set'])));
    expect(version).toBe(21);
    expect(await versionsOf(owner.agentId)).toHaveLength(21);
  });

  test('rejects a change that would make the whole configuration too large', async () => {
    const owner = await engine.owner();
    const half = 'x'.repeat(MAXIMA.bytes / 2);
    expect((await patch(owner, { change: { metadata: { half } } })).kind).toBe('updated');
    const second = { section: 'training', change: { know_how: { faq: { half } } } } as const;
    expect(await patch(owner, second)).toMatchObject({
      kind: 'refused',
      refusal: { type: 'config.too_large' },
    });
    expect((await agentOf(owner)).version).toBe(2);
  });

  test('returns unknown for an agent of another organization or a missing one', async () => {
    const owner = await engine.owner();
    const stranger = await engine.owner();
    const change = { identity: { system_prompt: 'Mine now.' } };
    expect(await patch({ ...owner, organizationId: stranger.organizationId }, { change })).toEqual({
      kind: 'unknown',
    });
    expect(await patch({ ...owner, agentId: randomUUID() }, { change })).toEqual({ kind: 'unknown' });
    expect((await agentOf(owner)).version).toBe(1);
  });

  describe('a change of the inbound number', () => {
    const takes = (owner: Owner, number: string) =>
      patch(owner, { section: 'deployment', change: inbound(number) });

    test("rejects a number that another organization's agent answers, and allows it once that agent releases it", async () => {
      const [one, other] = [await engine.owner(), await engine.owner()];
      expect((await takes(one, '+918000000001')).kind).toBe('updated');
      expect(await takes(other, '+918000000001')).toEqual({ kind: 'number_in_use' });
      expect((await agentOf(other)).version).toBe(1);
      await takes(one, '');
      expect((await takes(other, '+918000000001')).kind).toBe('updated');
    });

    test('accepts the same number again for the same agent', async () => {
      const owner = await engine.owner();
      await takes(owner, '+918000000002');
      const again = { phone: { call_type: { Inbound: '+918000000002', Outbound: ['+918000000009'] } } };
      expect((await patch(owner, { section: 'deployment', change: again })).kind).toBe('updated');
    });

    test('gives a number to only one of ten agents that request it concurrently', async () => {
      const owners = await Promise.all(Array.from({ length: 10 }, () => engine.owner()));
      const results = await Promise.all(owners.map((owner) => takes(owner, '+918000000003')));
      expect(results.map(({ kind }) => kind).sort()).toEqual([...Array(9).fill('number_in_use'), 'updated']);
    });
  });

  describe('an archived agent', () => {
    const archive = ({ organizationId, agentId }: Owner) =>
      archiveAgent(engine.db, { organizationId, agentId, actor, now: engine.now });

    test('hides an archived agent from everything except the rows that used it', async () => {
      const owner = await engine.owner();
      const stranger = await engine.owner();
      expect(await archive({ ...owner, organizationId: stranger.organizationId })).toBeNull();
      expect(await archive(owner)).toEqual([]);
      expect(await findAgent(engine.db, owner.organizationId, owner.agentId)).toBeUndefined();
      expect(await patch(owner, { change: { metadata: {} } })).toEqual({ kind: 'unknown' });
      expect(await archive(owner)).toBeNull();
      expect(await engine.db('agents').where({ id: owner.agentId }).first()).toMatchObject({
        archived: true,
        status: 'stopped',
      });
      expect(await auditOf(owner.agentId, 'agent.archive')).toHaveLength(1);
    });

    test('frees the inbound number of an archived agent', async () => {
      const [one, other] = [await engine.owner(), await engine.owner()];
      await patch(one, { section: 'deployment', change: inbound('+918000000004') });
      await archive(one);
      expect((await patch(other, { section: 'deployment', change: inbound('+918000000004') })).kind).toBe(
        'updated',
      );
    });

    test('lets the campaigns of an archived agent continue with their version', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 2, concurrency: 1 });
      await patch(owner, { change: { identity: { system_prompt: 'Second.' } } });
      await archive(owner);
      const { granted } = await engine.feed(owner, campaignId);
      expect(await engine.begin(granted[0] ?? '')).toMatchObject({
        kind: 'ask',
        config: { persona: { identity: { system_prompt: 'Second.' } } },
      });
    });
  });

  const create = async (organizationId: string, name = 'another'): Promise<string> => {
    const inserted = await insertAgent(engine.db, {
      organizationId,
      displayName: 'Another',
      nthName: (n) => `${name}-${n}`,
      status: 'initialized',
      config: {},
      ...NO_NUMBERS,
      actor,
      now: engine.now,
    });
    if (inserted.kind !== 'inserted') throw new Error('not inserted');
    return inserted.id;
  };

  test('gives a new agent the first free name, or a random one if the first hundred are taken', async () => {
    const { organizationId } = await engine.owner();
    const named = async (id: string) => (await agentOf({ organizationId, agentId: id })).agentName;
    const ids: string[] = [];
    for (let n = 1; n <= 100; n++) ids.push(await create(organizationId));
    expect(await named(ids[0] ?? '')).toBe('another-1');
    expect(await named(ids[99] ?? '')).toBe('another-100');
    await engine.db('agents').where({ id: ids[41] }).update({ agent_name: 'renamed' });
    expect(await named(await create(organizationId))).toBe('another-42');
    expect(await named(await create(organizationId))).toMatch(/^another-\d+$/);
    expect(await named(await create(organizationId, 'other'))).toBe('other-1');
  });

  test('records the creation of an agent', async () => {
    const { organizationId } = await engine.owner();
    expect(await auditOf(await create(organizationId), 'agent.create')).toMatchObject([
      { organization_id: organizationId, actor_kind: 'api_key', actor_id: 'key-1', request_id: 'request-1' },
    ]);
  });
});
