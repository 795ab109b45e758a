/** Erases one person. Afterwards no column of any table and no stored file may contain any of their data. */
import { saveAnswer, requestAnalysis } from '../../db/calls/analyses';
import { applyProgress } from '../../db/calls/events';
import { contactsOfFile } from '../../db/campaigns/contacts';
import { recordRecording } from '../../db/calls/recordings';
import { fileOfContacts } from '../../api/campaigns/contact-files';
import type { Owner } from '../db/support/engine-database';
import type { AdminConsole } from './support/admin-console';
import { NUMBER, OTHER, PERSONAL, StoredPerson } from './support/stored-person';

let person: StoredPerson;
let admin: AdminConsole;
let owner: Owner;

beforeAll(async () => {
  person = await StoredPerson.open();
  ({ admin } = person);
});
beforeEach(async () => {
  await person.clear();
  ({ owner } = person);
});
afterAll(() => person.close());

const talked = (row?: object) => person.talked(row);
const campaign = (extension?: string) => person.campaign(extension);
const holding = (words: readonly string[]) => person.holding(words);
const erase = (more?: string) => person.erase(more);

test('finds all stored data of the person before the erasure', async () => {
  await campaign();
  await talked();
  expect(await holding(PERSONAL)).toEqual(
    expect.arrayContaining([
      'call_segments.text',
      'calls.conversation_eval',
      'calls.entity',
      'calls.metadata',
      'calls.modify_agent',
      'calls.name',
      'calls.session',
      'calls.summary',
      'calls.to_number',
      'calls.x_agent_id',
      'contacts.name',
      'contacts.phone_number',
      'contacts.variables',
      'idempotency_keys.answer',
      'webhook_deliveries.body',
    ]),
  );
});

test('leaves no data of an erased person in any table or file', async () => {
  await campaign();
  await campaign('xlsx');
  const callId = await talked();
  await admin
    .db('dnd_registry_answers')
    .insert({ phone_number: NUMBER, listed: false, requested_at: new Date() });
  await requestAnalysis(admin.db, { callId, segments: [], now: 0, checkAt: 0 });
  expect(await erase()).toEqual({
    calls: 1,
    contacts: 2,
    recordings: 1,
    webhooks: 1,
    contact_files: 2,
    dnd_lists: 0,
  });
  expect(await holding(PERSONAL)).toEqual([]);
});

test('keeps the counts, costs and statuses that make up the totals', async () => {
  const id = await campaign();
  const callId = await talked();
  await erase();
  expect(await admin.engine.call(callId)).toMatchObject({
    call_status: 'completed',
    duration_ms: 60_000,
    call_cost: 1,
    eval_tag: 'interested',
    tags: ['interested'],
    outcome: 'interested',
    from_number: '+918000000001',
  });
  expect(await admin.engine.sums(id)).toEqual({ inProgress: 0, completed: 0, failed: 1 });
  const [first, ...others] = await admin.engine.contacts(id);
  expect(first).toMatchObject({ state: 'cancelled', reason: 'erased' });
  expect(others.map(({ state }) => state)).toEqual(['pending', 'pending']);
});

test('completes a contact that requested a callback, and cancels the callback', async () => {
  const id = await campaign();
  const callId = await talked({ callback_id: 'x', callback_status: 'scheduled' });
  await admin.db('contacts').where({ campaign_id: id, phone_number: NUMBER }).update({ callback_of: callId });
  await erase();
  const [first] = await admin.engine.contacts(id);
  expect(first).toMatchObject({ state: 'completed' });
  expect(await admin.engine.sums(id)).toEqual({ inProgress: 0, completed: 1, failed: 0 });
  expect((await admin.engine.call(callId)).callback_status).toBe('cancelled');
});

test("keeps the rows, calls and file lines of the campaign's other contacts", async () => {
  const id = await campaign('xlsx');
  const theirs = await talked({ to_number: OTHER, name: 'Ravi', metadata: {} });
  await erase();
  expect((await admin.engine.campaignRow(id)).contact_file_key).toBeNull();
  expect(fileOfContacts(['city', 'note'], await contactsOfFile(admin.db, id, 4)).toString()).toBe(
    `name,phone_number,city,note\r\n\r\nContact 3,${OTHER},Pune,\r\nContact 4,+919876500002,Pune,\r\n`,
  );
  expect(await admin.storage.read(`${id}.xlsx`)).toBeUndefined();
  expect(await admin.engine.call(theirs)).toMatchObject({ name: 'Ravi', to_number: OTHER });
  expect(await holding(['moonlight'])).not.toEqual([]);
});

test.each([
  '+91 98765 00000',
  '919876500000',
  '09876500000',
  '9876500000',
  'sip:+919876500000@10.0.0.7:5060',
])('recognizes a caller whose network wrote the number as %s', async (from_number) => {
  const callId = await talked({
    direction: 'Incoming',
    call_type: 'Inbound',
    from_number,
    to_number: '+918000000001',
    carrier_id: `call-_${from_number}_x`,
  });
  expect(await erase()).toMatchObject({ calls: 1 });
  expect(await admin.engine.call(callId)).toMatchObject({
    from_number: null,
    to_number: '+918000000001',
    carrier_id: `erased-${callId}`,
  });
  expect(await holding(PERSONAL)).toEqual([]);
});

test('keeps calls that used the number as caller ID', async () => {
  const callId = await talked({ from_number: NUMBER, to_number: OTHER });
  expect(await erase()).toMatchObject({ calls: 0, contacts: 0 });
  expect((await admin.engine.call(callId)).from_number).toBe(NUMBER);
});

test('keeps a do-not-disturb entry, but deletes its source', async () => {
  await admin.run(['dnd', 'add', NUMBER, '--org', owner.organizationId, '--source', 'Asha wrote to us']);
  await talked();
  expect(await erase()).toMatchObject({ dnd_lists: 1 });
  expect(await holding(PERSONAL)).toEqual(['dnd_numbers.phone_number']);
  expect((await admin.json(`dnd check ${NUMBER} --org ${owner.organizationId}`)).on_list).toBe(true);
});

test('finds and changes nothing when repeated', async () => {
  await campaign();
  await talked();
  await erase();
  const before = await person.everything();
  expect(await erase()).toMatchObject({ calls: 0, contacts: 0, recordings: 0, contact_files: 0 });
  expect(await person.everything()).toEqual(before);
});

test('discards data that arrives late for an erased call', async () => {
  const callId = await talked();
  await requestAnalysis(admin.db, { callId, segments: [], now: 0, checkAt: 0 });
  await erase();
  const segment = { speaker: 'user' as const, text: 'moonlight', startMs: 5_000, endMs: 6_000 };
  const event = {
    reference: callId,
    carrierId: 'x',
    type: 'segment' as const,
    at: new Date().toISOString(),
    segment,
  };
  await applyProgress(admin.db, [event], { now: admin.engine.now, creditsPerMinute: 1 });
  await saveAnswer(admin.db, { callId, answer: { summary: 'Asha' }, model: 'm', usage: [] });
  const late = { storageKey: 'recordings/late.wav', contentType: 'audio/wav', bytes: 1 };
  await expect(recordRecording(admin.db, callId, late, admin.engine.now)).resolves.toBe(false);
  expect(await holding(PERSONAL)).toEqual([]);
});

describe('a call in progress during an erasure', () => {
  test('erases nothing while a call of the person is in progress', async () => {
    const callId = await talked();
    await talked({ stage: 'placed', call_status: 'in progress', ended_at: null, concluded_at: null });
    const { status, err } = await admin.run(
      `person erase --phone ${NUMBER} --org ${owner.organizationId} --yes`,
    );
    expect([status, err]).toEqual([
      1,
      expect.stringContaining('Live or unprocessed calls of this person: 1'),
    ]);
    expect((await admin.engine.call(callId)).name).toBe('Asha');
  });

  test('erases everything in a later run, once the call has ended', async () => {
    const first = await talked();
    const callId = await talked({
      stage: 'placed',
      call_status: 'in progress',
      ended_at: null,
      concluded_at: null,
    });
    expect(
      (await admin.run(`person erase --phone ${NUMBER} --org ${owner.organizationId} --yes`)).status,
    ).toBe(1);
    await admin
      .db('calls')
      .where({ call_id: callId })
      .update({ stage: 'over', ended_at: new Date(), concluded_at: new Date() });
    expect(await erase()).toMatchObject({ calls: 2, recordings: 2, webhooks: 2 });
    expect((await admin.engine.call(first)).name).toBeNull();
    expect(await holding(PERSONAL)).toEqual([]);
  });

  test('erases nothing while a call is being processed', async () => {
    await talked({ concluded_at: null, post_processing_status: 'processing' });
    const { status } = await admin.run(`person erase --phone ${NUMBER} --org ${owner.organizationId} --yes`);
    expect(status).toBe(1);
  });

  test('hangs up a call with --hang-up and erases it once it is over', async () => {
    const callId = await talked({
      stage: 'placed',
      call_status: 'in progress',
      ended_at: null,
      concluded_at: null,
    });
    const erasing = erase('--hang-up');
    // Plays the part of carrier and worker, which end the call.
    for (;;) {
      const { hang_up_requested_at: asked } = await admin.engine.call(callId);
      if (asked !== null) break;
    }
    await admin
      .db('calls')
      .where({ call_id: callId })
      .update({ stage: 'over', ended_at: new Date(), concluded_at: new Date() });
    expect(await erasing).toMatchObject({ calls: 1 });
    expect(await holding(PERSONAL)).toEqual([]);
  });
});

test("asks for confirmation, because an erasure can't be undone", async () => {
  await talked();
  const { status, err } = await admin.run(`person erase --phone ${NUMBER} --org ${owner.organizationId}`);
  expect([status, err]).toEqual([1, expect.stringContaining('Pass --yes')]);
  expect(await holding(['moonlight'])).not.toEqual([]);
});

test('erases the person from one organization with --org, and from all of them without it', async () => {
  await talked();
  const other = await admin.org();
  expect(await admin.json(`person erase --phone ${NUMBER} --org ${other.id} --yes`)).toMatchObject({
    calls: 0,
  });
  expect(await admin.json(`person erase --phone ${NUMBER} --yes`)).toMatchObject({ calls: 1 });
  expect(await holding(PERSONAL)).toEqual([]);
});

test('records that a person was erased, but not who', async () => {
  await talked();
  await erase('--as Mina');
  const [record] = (await admin.audit(owner.organizationId)).filter(
    ({ action }) => action === 'person.erase',
  );
  expect(record).toMatchObject({ actor_id: 'Mina', subject_id: owner.organizationId, fields: [] });
});

test('rejects a malformed number without repeating it', async () => {
  const { status, err } = await admin.run('person erase --phone 12345xyz --yes');
  expect(status).toBe(1);
  expect(err).not.toContain('12345xyz');
});

describe('an erased e-mail address', () => {
  const MINE = 'Asha@Example.com';
  const eraseAddress = (more = `--org ${owner.organizationId}`) =>
    admin.json(`person erase --email ${MINE} --yes ${more}`.trim());

  /** Creates a campaign with two recipients: Ravi and the person. */
  async function reported(of: Owner): Promise<string> {
    const id = await admin.engine.campaign(of, { contacts: 1 });
    await admin.engine.set(id, { notification_emails: ['ravi@example.com', MINE] });
    const rows = [
      { recipient: 1, address: 'ravi@example.com', kind: 'report', status: 'sent' },
      { recipient: 2, address: MINE, kind: 'report', status: 'pending' },
      { recipient: 101, address: MINE.toLowerCase(), kind: 'confirmation', status: 'sent' },
    ];
    const at = new Date(admin.engine.now);
    await admin
      .db('completion_mails')
      .insert(rows.map((row) => ({ campaign_id: id, created_at: at, check_at: at, ...row })));
    await admin.run(['mail', 'confirm', '--org', of.organizationId, '--address', MINE]);
    return id;
  }

  test('removes an erased address from the confirmed addresses, campaigns and e-mails of the organization', async () => {
    const id = await reported(owner);
    expect(await eraseAddress()).toEqual({ addresses: 1, campaigns: 1, mails: 2 });
    expect(await holding([MINE.toLowerCase()])).toEqual([]);
    expect((await admin.engine.campaignRow(id)).notification_emails).toEqual(['ravi@example.com']);
    const mails = await admin.db('completion_mails').where({ campaign_id: id }).orderBy('recipient');
    expect(mails).toMatchObject([
      { address: 'ravi@example.com', status: 'sent' },
      { address: '', status: 'skipped', last_error: 'the address was erased' },
      { address: '', status: 'sent' },
    ]);
    const [record] = (await admin.audit(owner.organizationId)).filter(
      ({ action }) => action === 'person.erase',
    );
    expect(record).toMatchObject({ subject_id: owner.organizationId, fields: [] });
  });

  test('erases an address from one organization with --org, and from all of them without it', async () => {
    const other = await admin.engine.owner();
    await reported(owner);
    await reported(other);
    await eraseAddress();
    expect(await holding([MINE.toLowerCase()])).not.toEqual([]);
    expect(await eraseAddress('')).toEqual({ addresses: 1, campaigns: 1, mails: 2 });
    expect(await holding([MINE.toLowerCase()])).toEqual([]);
  });

  test('changes and records nothing for an unknown address', async () => {
    expect(await eraseAddress()).toEqual({ addresses: 0, campaigns: 0, mails: 0 });
    const actions = (await admin.audit(owner.organizationId)).map(({ action }) => action);
    expect(actions).not.toContain('person.erase');
  });

  test.each([
    ['person erase --yes', '--phone or --email'],
    [`person erase --email ${MINE} --phone ${NUMBER} --yes`, 'cannot be combined'],
    ['person erase --email asha.example.com --yes', 'must be one e-mail address'],
  ])('rejects %s, because exactly one valid target is required', async (line, message) => {
    const { status, err } = await admin.run(line);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });
});
