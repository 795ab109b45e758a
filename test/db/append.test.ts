import { randomUUID } from 'node:crypto';
import {
  appendContacts,
  withdrawListContact,
  type AppendedContact,
  type ContactSource,
} from '../../db/campaigns/append';
import { insertCampaign } from '../../db/campaigns/campaigns';
import { finishCampaign, withdrawRest } from '../../db/campaigns/engine';
import { keptOf } from '../../db/organizations/quotas';
import { describeWith } from '../servers/availability';
import { campaignDraft } from './support/campaign-draft';
import { EngineDatabase, START, type Owner } from './support/engine-database';

const ACTOR = { kind: 'api_key', id: 'key-1', requestId: null } as const;

const contact = (n: number, changes: Partial<AppendedContact> = {}): AppendedContact => ({
  externalId: `e-${n}`,
  name: `Appended ${n}`,
  phoneNumber: `+9170000${String(n).padStart(5, '0')}`,
  timezone: null,
  language: null,
  consentAt: null,
  variables: {},
  ...changes,
});
const contacts = (count: number): AppendedContact[] =>
  Array.from({ length: count }, (_none, n) => contact(n));

describeWith('postgres', 'contacts appended to a campaign', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let campaignId: string;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    campaignId = await engine.campaign(owner, { contacts: 1, concurrency: 2 });
  });

  const append = (source: ContactSource, { organizationId } = owner) =>
    appendContacts(engine.db, { campaignId, organizationId, source, actor: ACTOR, now: engine.now });

  const finish = (id = campaignId) => finishCampaign(engine.db, id, engine.now, () => []);

  const endedAll = async (): Promise<void> => {
    for (;;) {
      const { granted } = await engine.feed(owner, campaignId);
      if (granted.length === 0) break;
      for (const callId of granted) {
        await engine.dial(callId);
        await engine.end(callId, 'callee', { answeredAt: new Date(engine.now).toISOString() });
      }
    }
    await engine.conclude(campaignId);
  };

  const newList = async (
    size: number,
    row: (n: number) => Record<string, unknown> = () => ({}),
  ): Promise<string> => {
    const id = randomUUID();
    const at = { created_at: new Date(START), updated_at: new Date(START) };
    const { organizationId } = owner;
    await engine
      .db('contact_lists')
      .insert({ ...{ id, organization_id: organizationId, name: 'A list', contacts: size }, ...at });
    const listed = Array.from({ length: size }, (_none, n) => ({
      ...{ list_id: id, organization_id: organizationId, external_id: `l-${n}`, name: `Listed ${n}` },
      ...{ phone_number: `+9180000${String(n).padStart(5, '0')}`, zone_key: 'Asia/Kolkata' },
      ...{ folded_name: '', ...at, ...row(n) },
    }));
    if (size > 0) await engine.db.batchInsert('list_contacts', listed, 1_000);
    return id;
  };

  const listed = (listId: string) => engine.db('list_contacts').where({ list_id: listId }).orderBy('id');

  test('stores contacts behind the last row, counts them and asks for a survey without changing the status', async () => {
    await engine.set(campaignId, { status: 'paused' });
    const given = contact(1, {
      ...{ timezone: 'Asia/Kolkata', language: 'hi', consentAt: '2026-11-01T00:00:00.000Z' },
      variables: { city: 'Pune' },
    });
    expect(await append({ contacts: [given] })).toEqual({
      ...{ kind: 'appended', added: 1, duplicates: 0, total: 2 },
    });
    const stored = await engine.db('contacts').where({ campaign_id: campaignId, row_number: 3 }).first();
    expect(stored).toMatchObject({
      ...{ organization_id: owner.organizationId, external_id: 'e-1', name: 'Appended 1', state: 'pending' },
      ...{ phone_number: '+917000000001', variables: { city: 'Pune' }, zone_key: '', language: 'hi' },
      ...{ timezone: 'Asia/Kolkata', consent_at: new Date('2026-11-01T00:00:00.000Z'), reason: null },
    });
    expect(await engine.campaignRow(campaignId)).toMatchObject({
      ...{ status: 'paused', total_contacts: 2, failed_contacts: 0, contact_file_rows: 2 },
      ...{ refill_requested_at: new Date(engine.now), contact_columns: ['city'], zone_keys: [''] },
    });
    const [entry] = await engine.db('audit_log').where({ subject_id: campaignId, action: 'campaign.append' });
    expect(entry).toMatchObject({ organization_id: owner.organizationId, actor_id: 'key-1', fields: [] });
  });

  test('stores each external id once, and nothing when the request is repeated', async () => {
    const source = { contacts: [contact(1), contact(1, { name: 'Again' }), contact(2)] };
    expect(await append(source)).toMatchObject({ added: 2, duplicates: 1, total: 3 });
    expect(await append(source)).toMatchObject({ added: 0, duplicates: 3, total: 3 });
    expect((await engine.contacts(campaignId)).map(({ row }) => row)).toEqual([2, 3, 4]);
  });

  test('stores a number that the campaign has under another id as a duplicate of its first row', async () => {
    const first = contact(1, { phoneNumber: '+919876500000' });
    const source = { contacts: [first, contact(2), contact(3, { phoneNumber: contact(2).phoneNumber })] };
    expect(await append(source)).toMatchObject({ added: 1, duplicates: 2, total: 4 });
    const stored = await engine.contacts(campaignId);
    expect(stored.map(({ row, state, reason }) => [row, state, reason])).toEqual([
      [2, 'pending', null],
      [3, 'duplicate', 'same number as row 2'],
      [4, 'pending', null],
      [5, 'duplicate', 'same number as row 4'],
    ]);
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 2 });
  });

  test('identifies a contact without an external id by its number', async () => {
    const unnamed = (n: number) => contact(n, { externalId: null });
    const ofFile = contact(0, { externalId: null, phoneNumber: '+919876500000' });
    await append({ contacts: [contact(5)] });
    expect(await append({ contacts: [unnamed(1), unnamed(1), ofFile, unnamed(5)] })).toMatchObject({
      ...{ added: 1, duplicates: 3, total: 4 },
    });
    expect(await append({ contacts: [unnamed(1), ofFile, unnamed(5)] })).toMatchObject({
      ...{ added: 0, duplicates: 3, total: 4 },
    });
  });

  test('stores a contact once when two requests append it at the same time', async () => {
    const results = await Promise.all([
      append({ contacts: contacts(20) }),
      append({ contacts: contacts(20) }),
    ]);
    expect(results.map((each) => each.kind === 'appended' && each.added).sort()).toEqual([0, 20]);
    expect((await engine.campaignRow(campaignId)).total_contacts).toBe(21);
    expect(await engine.contacts(campaignId)).toHaveLength(21);
  });

  test.each(['completed', 'cancelled'])('refuses contacts for a campaign that is %s', async (status) => {
    await engine.set(campaignId, { status });
    expect(await append({ contacts: contacts(1) })).toEqual({ kind: 'refused', status });
    expect(await engine.contacts(campaignId)).toHaveLength(1);
  });

  test('refuses contacts for a campaign whose contacts retention has erased', async () => {
    await engine.set(campaignId, { contacts_erased_at: new Date(engine.now) });
    expect(await append({ contacts: contacts(1) })).toMatchObject({ kind: 'refused' });
    expect(await engine.contacts(campaignId)).toHaveLength(1);
  });

  test("returns unknown for another organization's campaign and stores nothing", async () => {
    const other = await engine.owner();
    expect(await append({ contacts: contacts(1) }, other)).toEqual({ kind: 'unknown' });
    expect(await engine.contacts(campaignId)).toHaveLength(1);
  });

  test('keeps a campaign open whose last contact ended before the append', async () => {
    await endedAll();
    expect(await append({ contacts: contacts(1) })).toMatchObject({ added: 1 });
    expect(await finish()).toEqual({ kind: 'unfinished' });
    await endedAll();
    expect(await finish()).toMatchObject({ kind: 'finished', status: 'completed' });
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 2, failed: 0 });
  });

  test('refuses an append that waits while the campaign completes', async () => {
    await endedAll();
    const late = await engine.db.transaction(async (trx) => {
      const outside = engine.db;
      await engine.within(trx, async () => void (await finish()));
      const waiting = appendContacts(outside, {
        ...{ campaignId, organizationId: owner.organizationId, actor: ACTOR, now: engine.now },
        source: { contacts: contacts(3) },
      });
      await engine.untilBlocked();
      return { waiting };
    });
    expect(await late.waiting).toEqual({ kind: 'refused', status: 'completed' });
    expect((await engine.campaignRow(campaignId)).total_contacts).toBe(1);
    expect(await engine.contacts(campaignId)).toHaveLength(1);
  });

  test('ends in one of two consistent ways when an append and the completion race', async () => {
    for (let round = 0; round < 10; round += 1) {
      campaignId = await engine.campaign(owner, { contacts: 1 });
      await endedAll();
      const [appended, finished] = await Promise.all([append({ contacts: contacts(2) }), finish()]);
      const row = await engine.campaignRow(campaignId);
      if (appended.kind === 'appended') {
        expect([finished.kind, row.ended_at, row.total_contacts]).toEqual(['unfinished', null, 3]);
      } else {
        expect([finished.kind, row.status, row.total_contacts]).toEqual(['finished', 'completed', 1]);
      }
    }
  });

  test('lets pages be claimed while an append is open, and claims its contacts only afterwards', async () => {
    await engine.db.transaction(async (trx) => {
      await trx.raw('select store_contacts(?, ?, ?, null, null, 0)', [
        ...[owner.organizationId, campaignId],
        JSON.stringify([{ external_id: 'x', name: 'Open', phone_number: '+917111111111', metadata: {} }]),
      ]);
      expect((await engine.claim(campaignId)).claimed).toHaveLength(1);
    });
    expect((await engine.claim(campaignId)).claimed).toHaveLength(2);
  });

  test('withdraws appended contacts with the rest of the campaign', async () => {
    await append({ contacts: contacts(4) });
    await withdrawRest(
      engine.db,
      campaignId,
      { contactState: 'expired', callStatus: 'expired', endReason: 'campaign_over' },
      engine.now,
    );
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 5 });
    expect(await finish()).toMatchObject({ kind: 'finished' });
  });

  test('counts appended contacts towards the quota', async () => {
    const { contacts: before } = await keptOf(engine.db, owner.organizationId);
    await append({ contacts: contacts(7) });
    await append({ contacts: contacts(7) });
    expect((await keptOf(engine.db, owner.organizationId)).contacts).toBe(before + 7);
    await engine.set(campaignId, { contacts_erased_at: new Date(engine.now) });
    expect((await keptOf(engine.db, owner.organizationId)).contacts).toBe(before - 1);
  });

  describe('of a list', () => {
    test('copies all contacts in pages, with their zones and columns', async () => {
      const listId = await newList(4_500, (n) => ({
        ...{ zone_key: n % 2 === 0 ? 'Asia/Kolkata' : 'Europe/London', metadata: { plan: 'gold' } },
        ...(n === 4_499 && { external_id: null, phone_number: '+919876500000', timezone: 'Asia/Kolkata' }),
      }));
      expect(await append({ listId })).toMatchObject({ added: 4_499, duplicates: 1, total: 4_500 });
      expect(await engine.campaignRow(campaignId)).toMatchObject({
        ...{ zone_keys: ['', 'Asia/Kolkata', 'Europe/London'], contact_columns: ['plan'] },
      });
      const [first] = await listed(listId);
      const stored = await engine.db('contacts').where({ campaign_id: campaignId, row_number: 3 }).first();
      expect(stored).toMatchObject({
        ...{ list_contact_id: first.id, external_id: 'l-0', name: 'Listed 0', zone_key: 'Asia/Kolkata' },
        variables: { plan: 'gold' },
      });
      expect(await append({ listId })).toMatchObject({ added: 0, duplicates: 4_500, total: 4_500 });
    });

    test('copies nothing from a list of another organization', async () => {
      const listId = await newList(2);
      owner = await engine.owner();
      campaignId = await engine.campaign(owner, { contacts: 1 });
      expect(await append({ listId })).toMatchObject({ added: 0, duplicates: 0, total: 1 });
    });

    test('creates a campaign from the contacts that the list has then', async () => {
      const listId = await newList(3, (n) => (n === 2 ? { phone_number: '+918000000000' } : {}));
      const draft = { contactSourceType: 'list', contactListId: listId, contactFileKey: null } as const;
      const created = await insertCampaign(
        engine.db,
        campaignDraft({ ...owner, ...draft, contactFileBytes: 0, contacts: [], now: engine.now }),
      );
      expect(created).toMatchObject({ contactListId: listId, total: 3, failed: 1 });
      await engine.db('list_contacts').where({ list_id: listId }).update({ name: 'Changed' });
      const stored = await engine.db('contacts').where({ campaign_id: created.id }).orderBy('row_number');
      expect(stored.map(({ row_number: row, name, state }) => [row, name, state])).toEqual([
        [2, 'Listed 0', 'pending'],
        [3, 'Listed 1', 'pending'],
        [4, 'Listed 2', 'duplicate'],
      ]);
    });

    test('leaves out a contact that was removed while the list was copied', async () => {
      const listId = await newList(3);
      const [gone] = await listed(listId);
      let waiting: Promise<unknown> = Promise.resolve();
      await engine.db.transaction(async (trx) => {
        await trx.raw('select 1 from organizations where id = ? for no key update', [owner.organizationId]);
        waiting = append({ listId });
        await engine.untilBlocked();
        await trx('list_contacts').where({ id: gone.id }).delete();
        await trx('contact_lists').where({ id: listId }).update({ contacts: 2 });
      });
      expect(await waiting).toMatchObject({ added: 2, total: 3 });
      const names = await engine.db('contacts').where({ campaign_id: campaignId }).pluck('name');
      expect(names.sort()).toEqual(['Contact 2', 'Listed 1', 'Listed 2']);
    });
  });

  describe('whose contact is removed from its list', () => {
    const withdraw = (listContactId: number, { organizationId } = owner) =>
      engine.db.transaction((trx) =>
        withdrawListContact(trx, { organizationId, listContactId, now: engine.now }),
      );

    const appendedList = async (size: number): Promise<number[]> => {
      const listId = await newList(size);
      await append({ listId });
      return (await listed(listId)).map(({ id }) => id as number);
    };

    const copied = async (listContactId: number) =>
      (await engine.db('contacts').where({ list_contact_id: listContactId }).first()) as Record<string, any>;

    test('ends a pending contact as cancelled and wakes the campaign', async () => {
      const [id = 0] = await appendedList(1);
      await engine.set(campaignId, { refill_requested_at: null });
      expect(await withdraw(id)).toEqual({ ended: [], campaigns: [campaignId] });
      expect(await copied(id)).toMatchObject({ state: 'cancelled', reason: 'removed from its list' });
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 1 });
      expect((await engine.campaignRow(campaignId)).refill_requested_at).toEqual(new Date(engine.now));
      expect(await withdraw(id)).toEqual({ ended: [], campaigns: [] });
    });

    test('ends its waiting call undialled', async () => {
      const [id = 0] = await appendedList(1);
      await engine.claim(campaignId);
      const { call_id: callId } = await copied(id);
      expect(await withdraw(id)).toEqual({ ended: [callId], campaigns: [campaignId] });
      expect(await engine.call(callId)).toMatchObject({
        ...{ stage: 'over', call_status: 'cancelled', end_reason: 'cancelled', requested_at: null },
      });
      expect(await copied(id)).toMatchObject({ state: 'cancelled', call_id: null });
    });

    test('changes nothing while its call has a line', async () => {
      const ids = await appendedList(3);
      const { granted } = await engine.feed(owner, campaignId);
      const live = await engine
        .db('contacts')
        .whereIn('call_id', granted)
        .whereNotNull('list_contact_id')
        .first();
      expect(await withdraw(live.list_contact_id as number)).toEqual({ ended: [], campaigns: [] });
      expect(await engine.stageOf(live.call_id as string)).toBe('granted');
      expect(ids).toContain(live.list_contact_id);
    });

    test('changes nothing for another organization or an ended campaign', async () => {
      const [id = 0] = await appendedList(1);
      expect(await withdraw(id, await engine.owner())).toEqual({ ended: [], campaigns: [] });
      await engine.set(campaignId, { ended_at: new Date(engine.now) });
      expect(await withdraw(id)).toEqual({ ended: [], campaigns: [] });
      expect(await copied(id)).toMatchObject({ state: 'pending' });
    });

    test('completes a contact that waits for a callback, because it was reached before', async () => {
      const [id = 0] = await appendedList(1);
      await engine.claim(campaignId);
      const { call_id: asked } = await copied(id);
      await engine
        .db('contacts')
        .where({ list_contact_id: id })
        .update({ call_id: null, callback_of: asked });
      await engine
        .db('calls')
        .where({ call_id: asked })
        .update({ callback_status: 'scheduled', stage: 'over' });
      expect(await withdraw(id)).toMatchObject({ campaigns: [campaignId] });
      expect(await copied(id)).toMatchObject({ state: 'completed', callback_of: null });
      expect((await engine.call(asked as string)).callback_status).toBe('cancelled');
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 1, failed: 0 });
    });
  });
});
