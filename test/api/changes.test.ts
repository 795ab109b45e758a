/** The services behind endpoints that change something, tested with a real Postgres. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { removeAgent, updateSection } from '../../api/agents/change';
import { CANCEL, PAUSE, RESUME, switchCampaign, updateCampaign } from '../../api/campaigns/change';
import { hangUp } from '../../api/calls/hang-up';
import { redeliverWebhook } from '../../api/webhooks/redeliver';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { EngineDatabase, START, type Owner } from '../db/support/engine-database';
import { RecordingTemporal } from './support/recording-temporal';

const actor = { kind: 'api_key', id: 'key-1', requestId: 'request-1' } as const;

let engine: EngineDatabase;
let temporal: RecordingTemporal;
beforeAll(async () => {
  engine = await EngineDatabase.open();
});
afterAll(() => engine.close());
beforeEach(() => {
  temporal = new RecordingTemporal();
});

const deps = () => ({
  db: engine.db,
  temporal,
  clock: { now: () => engine.now },
  log: pino({ enabled: false }),
  settings: {
    legalWindow: { startMinute: 150, endMinute: 869 },
    legalWindowLocal: { startMinute: 480, endMinute: 1260 },
    secretsKeys: onlyKey(Buffer.alloc(32)),
    mailConfirmedDomains: [],
    registeredOnly: false,
    allowedCountries: ['IN'],
    allowedNumberTypes: [],
    transferSipDomains: [],
  },
});
const refusal = (status: number, code: string) => expect.objectContaining({ status, code });
const actionsOn = async (subjectId: string): Promise<string[]> => {
  const records: any[] = await engine.db('audit_log').where({ subject_id: subjectId }).orderBy('id');
  return records.map(({ action }) => action as string);
};

describe('updateCampaign()', () => {
  async function campaign(owner?: Owner) {
    const of = owner ?? (await engine.owner(5));
    const campaignId = await engine.campaign(of, { webhookUrl: 'https://example.com/hook' });
    return { campaignId, organizationId: of.organizationId };
  }

  test('pauses and changes the campaign, signals the workflow and notifies the receiver', async () => {
    const target = await campaign();
    const updated = await updateCampaign(deps(), target, { concurrency: 4, days_of_week: ['friday'] }, actor);
    expect(updated).toMatchObject({ status: 'paused', concurrency: 4, daysOfWeek: 'friday' });
    expect(temporal.signals).toEqual([{ campaignId: target.campaignId, signal: 'update' }]);
    expect(temporal.deliveries).toHaveLength(1);
    const [record]: any[] = await engine.db('audit_log').where({ action: 'campaign.update' });
    expect(record).toMatchObject({ subject_id: target.campaignId, fields: ['concurrency', 'days_of_week'] });
  });

  test('checks the stored and the new terms together', async () => {
    const target = await campaign();
    const refused = updateCampaign(deps(), target, { end_time: 200 }, actor);
    await expect(refused).rejects.toEqual(refusal(400, 'INVALID_TIME_WINDOW'));
    await expect(updateCampaign(deps(), target, { concurrency: 6 }, actor)).rejects.toEqual(
      refusal(400, 'CONCURRENCY_EXCEEDED'),
    );
    expect((await engine.campaignRow(target.campaignId)).status).toBe('active');
    expect([temporal.signals, temporal.deliveries]).toEqual([[], []]);
  });

  test("checks the organization's current maximum", async () => {
    const owner = await engine.owner(5);
    const target = await campaign(owner);
    await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 1 });
    await expect(updateCampaign(deps(), target, { concurrency: 2 }, actor)).rejects.toEqual(
      refusal(400, 'CONCURRENCY_EXCEEDED'),
    );
    expect((await updateCampaign(deps(), target, { campaign_name: 'B' }, actor)).campaignName).toBe('B');
  });

  test.each(['completed', 'cancelled'])('returns 409 for a campaign that is %s', async (status) => {
    const target = await campaign();
    await engine.set(target.campaignId, { status });
    await expect(updateCampaign(deps(), target, { concurrency: 1 }, actor)).rejects.toEqual(
      refusal(409, 'CAMPAIGN_NOT_EDITABLE'),
    );
  });

  test('returns 404 for an unknown campaign', async () => {
    const { organizationId } = await campaign();
    const target = { campaignId: randomUUID(), organizationId };
    await expect(updateCampaign(deps(), target, { concurrency: 1 }, actor)).rejects.toEqual(
      refusal(404, 'CAMPAIGN_NOT_FOUND'),
    );
  });

  test('updates a campaign while Temporal is unreachable', async () => {
    const target = await campaign();
    temporal.unreachable = true;
    expect((await updateCampaign(deps(), target, { concurrency: 1 }, actor)).status).toBe('paused');
    expect((await engine.campaignRow(target.campaignId)).refill_requested_at).not.toBeNull();
  });

  test("resolves once no dial of the campaign awaits the carrier's answer", async () => {
    const owner = await engine.owner();
    const target = await campaign(owner);
    const { granted } = await engine.feed(owner, target.campaignId);
    await engine.begin(granted[0] ?? '');
    let answered = false;
    const answer = updateCampaign(deps(), target, { concurrency: 1 }, actor).then(() => (answered = true));
    while ((await engine.campaignRow(target.campaignId)).status === 'active') await engine.db.raw('select 1');
    expect(answered).toBe(false);
    await engine.place(granted[0] ?? '');
    await answer;
  });
});

test('records pause, resume and cancel only when they change something', async () => {
  const owner = await engine.owner();
  const target = { campaignId: await engine.campaign(owner), organizationId: owner.organizationId };
  for (const wanted of [PAUSE, PAUSE, RESUME, CANCEL, CANCEL]) {
    await switchCampaign(deps(), target, wanted, actor);
  }
  const actions = (await actionsOn(target.campaignId)).filter((action) => action !== 'campaign.create');
  expect(actions).toEqual(['campaign.pause', 'campaign.resume', 'campaign.cancel']);
});

describe('a change of an agent', () => {
  const target = ({ organizationId, agentId }: Owner) => ({ organizationId, agentId, actor });
  const persona = (change: Record<string, unknown>) => ({ section: 'persona', change }) as const;

  test('records a change of an agent with the names of its fields', async () => {
    const owner = await engine.owner();
    await updateSection(
      deps(),
      target(owner),
      persona({ identity: { system_prompt: 'Secret.' }, metadata: { 'Asha Rao': 1 } }),
    );
    const [record]: any[] = await engine
      .db('audit_log')
      .where({ subject_id: owner.agentId, action: 'agent.update' });
    expect(record.fields).toEqual(['persona.identity.system_prompt', 'persona.metadata']);
  });

  test('returns 404 for an unknown or archived agent, also when archiving', async () => {
    const owner = await engine.owner();
    await removeAgent(deps(), target(owner));
    const refused = refusal(404, 'AGENT_NOT_FOUND');
    await expect(updateSection(deps(), target(owner), persona({ metadata: {} }))).rejects.toEqual(refused);
    await expect(removeAgent(deps(), target(owner))).rejects.toEqual(refused);
  });

  test('returns 409 for a taken number and 422 for a configuration that grows too large', async () => {
    const [one, other] = [await engine.owner(), await engine.owner()];
    const inbound = {
      section: 'deployment',
      change: { phone: { call_type: { Inbound: '+918000000011' } } },
    } as const;
    await updateSection(deps(), target(one), inbound);
    await expect(updateSection(deps(), target(other), inbound)).rejects.toEqual(
      refusal(409, 'NUMBER_IN_USE'),
    );
    const large = persona({ metadata: { text: 'x'.repeat(MAXIMA.bytes) } });
    await expect(updateSection(deps(), target(other), large)).rejects.toEqual(
      refusal(422, 'VALIDATION_ERROR'),
    );
  });
});

describe('a hang-up', () => {
  const ask = (callId: string, { organizationId }: Pick<Owner, 'organizationId'>) =>
    hangUp(deps(), { callId, organizationId, actor });

  test('cancels a waiting call, and signals its workflow and that of the next call', async () => {
    const owner = await engine.owner(1);
    const [first, second] = [await engine.dispatch(owner), await engine.dispatch(owner)];
    expect(await ask(first, owner)).toEqual({ callId: first, callStatus: 'cancelled' });
    expect(temporal.workflowSignals).toEqual([
      { granted: [second], refillCampaignId: null, ended: { callId: first, callStatus: 'cancelled' } },
    ]);
  });

  test('returns the status of a live call, and signals its workflow each time', async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    expect(await ask(callId, owner)).toEqual({ callId, callStatus: 'dialing' });
    await ask(callId, owner);
    const signal = { granted: [], refillCampaignId: null, toHangUp: callId };
    expect(temporal.workflowSignals).toEqual([signal, signal]);
    expect(await actionsOn(callId)).toEqual(['call.dispatch', 'call.hangup']);
  });

  test('returns the final status of a call that has already ended', async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    await engine.end(callId, 'callee');
    expect(await ask(callId, owner)).toEqual({ callId, callStatus: 'User disconnected' });
    expect(temporal.workflowSignals).toEqual([]);
  });

  test("returns 404 for another organization's call and changes nothing", async () => {
    const [owner, stranger] = [await engine.owner(), await engine.owner()];
    const callId = await engine.dispatch(owner);
    await expect(ask(callId, stranger)).rejects.toEqual(refusal(404, 'CALL_NOT_FOUND'));
    expect(await engine.stages([callId])).toEqual(['granted']);
  });

  test('accepts a hang-up while Temporal is unreachable', async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    temporal.unreachable = true;
    await ask(callId, owner);
    expect((await engine.call(callId)).hang_up_requested_at).toEqual(new Date(START));
  });
});

describe('a redelivery', () => {
  async function delivery(status: string) {
    const { organizationId } = await engine.owner();
    const deliveryId = randomUUID();
    await engine.db('webhook_deliveries').insert({
      id: deliveryId,
      event_id: randomUUID(),
      organization_id: organizationId,
      event: 'campaign.completed',
      url: 'https://example.com/hook',
      body: '{}',
      status,
      created_at: new Date(engine.now),
    });
    return { deliveryId, organizationId, actor };
  }

  test('starts a workflow for a delivery that has ended', async () => {
    const target = await delivery('failed');
    await redeliverWebhook(deps(), target);
    expect(temporal.deliveries).toEqual([{ deliveryId: target.deliveryId }]);
  });

  test('starts no workflow for a delivery whose attempts continue', async () => {
    await redeliverWebhook(deps(), await delivery('pending'));
    expect(temporal.deliveries).toEqual([]);
  });

  test('returns 404 for an unknown delivery', async () => {
    const target = { ...(await delivery('failed')), deliveryId: randomUUID() };
    await expect(redeliverWebhook(deps(), target)).rejects.toEqual(refusal(404, 'DELIVERY_NOT_FOUND'));
  });

  test('accepts a redelivery while Temporal is unreachable', async () => {
    const target = await delivery('failed');
    temporal.unreachable = true;
    await redeliverWebhook(deps(), target);
    const row = await engine.db('webhook_deliveries').where({ id: target.deliveryId }).first();
    expect(row.status).toBe('pending');
  });
});
