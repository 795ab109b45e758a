/** One person is erased: afterwards no column of any table and no stored file holds anything of theirs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveAnswer, requestAnalysis } from '../../db/calls/analyses';
import { applyProgress } from '../../db/calls/events';
import { recordRecording } from '../../db/calls/recordings';
import { rows } from '../../db/kernel/query';
import type { Owner } from '../db/support/engine-database';
import { AdminConsole } from './support/admin-console';

/** Of the first contact of `EngineDatabase`'s campaigns. */
const NUMBER = '+919876500000';
const OTHER = '+919876500001';
/** Of them nothing may be left; lower case. */
const PERSONAL = ['9876500000', 'asha', 'moonlight', 'koramangala', 'arthritis'];

let admin: AdminConsole;
let owner: Owner;

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  await admin.db.raw(
    'truncate calls, contacts, campaigns, dnd_numbers, idempotency_keys, audit_log, dnd_registry_answers cascade',
  );
  await rm(admin.dataDir, { recursive: true, force: true });
  owner = await admin.engine.owner();
});
afterAll(() => admin.close());

const erase = (more = '') =>
  admin.json(`person erase --phone ${NUMBER} --org ${owner.clientId} --yes ${more}`.trim());

/** A call of the person as it looks a minute after its end, with all that may be known of it. */
async function talked(row: object = {}): Promise<string> {
  const callId = `outbound-0-${randomBytes(8).toString('hex')}`;
  await admin.db('calls').insert({
    call_id: callId,
    client_id: owner.clientId,
    agent_id: owner.agentId,
    agent_version: 1,
    call_type: 'Outbound',
    direction: 'Outbound',
    name: 'Asha',
    to_number: NUMBER,
    from_number: '+918000000001',
    metadata: { address: 'Koramangala' },
    modify_agent: { persona: { metadata: { friend: 'Asha' } } },
    session: { greeting: 'Hello Asha' },
    stage: 'over',
    call_status: 'completed',
    end_reason: 'agent',
    accepted_at: new Date(admin.engine.now),
    ended_at: new Date(admin.engine.now),
    concluded_at: new Date(admin.engine.now),
    duration_ms: 60_000,
    call_cost: 1,
    summary: 'Asha has arthritis.',
    entity: { illness: 'arthritis' },
    eval_tag: 'interested',
    conversation_eval: { evaluation: { explanation: 'Asha was kind' } },
    tags: ['interested'],
    outcome: 'interested',
    post_processing_status: 'completed',
    ...row,
  });
  await admin.db('call_segments').insert({
    call_id: callId,
    start_ms: 0,
    end_ms: 900,
    speaker: 'user',
    text: 'The word is moonlight',
  });
  await admin.db('webhook_deliveries').insert({
    id: randomUUID(),
    event_id: randomUUID(),
    client_id: owner.clientId,
    call_id: callId,
    event: 'call.completed',
    url: 'https://receiver.example.test',
    body: JSON.stringify({
      event: 'call.completed',
      call_id: callId,
      contact: { name: 'Asha', phone: NUMBER },
      transcript: 'USER: The word is moonlight',
      summary: 'Asha has arthritis.',
    }),
    status: 'delivered',
    created_at: new Date(admin.engine.now),
  });
  const storageKey = `recordings/${callId}.wav`;
  await admin.storage.put(storageKey, Buffer.from('moonlight'));
  await recordRecording(
    admin.db,
    callId,
    { storageKey, contentType: 'audio/wav', bytes: 9 },
    admin.engine.now,
  );
  await admin.db('idempotency_keys').insert({
    client_id: owner.clientId,
    key: callId,
    fingerprint: Buffer.from('x'),
    subject_id: callId,
    created_at: new Date(admin.engine.now),
    leased_until: new Date(admin.engine.now),
    answer: Buffer.from('Asha'),
  });
  return callId;
}

/** With the person as its first contact, and their file. */
async function campaign(extension = 'csv'): Promise<string> {
  const id = await admin.engine.campaign(owner, { contacts: 3 });
  const key = `${id}.${extension}`;
  await admin.engine.set(id, { contact_file_key: key, contact_columns: ['city', 'note'] });
  await admin
    .db('contacts')
    .where({ campaign_id: id, phone_number: NUMBER })
    .update({ name: 'Asha', variables: { city: 'Koramangala', note: 'arthritis' } });
  await admin.storage.put(
    key,
    Buffer.from(`name,phone_number,city,note\nAsha,${NUMBER},Koramangala,arthritis\n`),
  );
  return id;
}

/** Every column of every table as text, bytes as the text that they may be. */
async function everything(): Promise<{ where: string; text: string }[]> {
  const columns = await rows<{ table: string; column: string; type: string }>(
    admin.db,
    `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
  );
  const found: { where: string; text: string }[] = [];
  for (const { table, column, type } of columns) {
    const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const [row] = await rows<{ text: string | null }>(
      admin.db,
      `select lower(string_agg(${value}, ' ')) as text from "${table}"`,
    );
    found.push({ where: `${table}.${column}`, text: row?.text ?? '' });
  }
  await mkdir(admin.dataDir, { recursive: true });
  for (const file of await readdir(admin.dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    found.push({ where: `file name ${file.name}`, text: path.toLowerCase() });
    if (file.isFile())
      found.push({ where: `file ${file.name}`, text: (await readFile(path, 'utf8')).toLowerCase() });
  }
  return found;
}

const holding = async (words: readonly string[]): Promise<string[]> =>
  (await everything())
    .filter(({ text }) => words.some((word) => text.includes(word)))
    .map(({ where }) => where);

test('the search finds what is stored: without it the next test could not fail', async () => {
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
      'contacts.name',
      'contacts.phone_number',
      'contacts.variables',
      'idempotency_keys.answer',
      'webhook_deliveries.body',
    ]),
  );
});

test('nothing of an erased person is left in any table or file', async () => {
  await campaign();
  await campaign('xlsx');
  const callId = await talked();
  await admin
    .db('dnd_registry_answers')
    .insert({ phone_number: NUMBER, listed: false, asked_at: new Date() });
  await requestAnalysis(admin.db, { callId, segments: [], now: 0, lookAt: 0 });
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

test('counts, costs and statuses stay, and sums add up', async () => {
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

test('a contact that was to be called back was reached, and is not called again', async () => {
  const id = await campaign();
  const callId = await talked({ callback_id: 'x', callback_status: 'scheduled' });
  await admin.db('contacts').where({ campaign_id: id, phone_number: NUMBER }).update({ callback_of: callId });
  await erase();
  const [first] = await admin.engine.contacts(id);
  expect(first).toMatchObject({ state: 'completed' });
  expect(await admin.engine.sums(id)).toEqual({ inProgress: 0, completed: 1, failed: 0 });
  expect((await admin.engine.call(callId)).callback_status).toBe('cancelled');
});

test('the others of the campaign keep their rows, their calls and their lines of the file', async () => {
  const id = await campaign('xlsx');
  const theirs = await talked({ to_number: OTHER, name: 'Ravi', metadata: {} });
  await erase();
  const { contact_file_key: key } = await admin.engine.campaignRow(id);
  expect(key).toBe(`${id}.csv`);
  expect((await admin.storage.get(key))?.toString()).toBe(
    `name,phone_number,city,note\r\n\r\nContact 3,${OTHER},Pune,\r\nContact 4,+919876500002,Pune,\r\n`,
  );
  expect(await admin.storage.get(`${id}.xlsx`)).toBeUndefined();
  expect(await admin.engine.call(theirs)).toMatchObject({ name: 'Ravi', to_number: OTHER });
  expect(await holding(['moonlight'])).not.toEqual([]);
});

test.each(['+91 98765 00000', '919876500000', '09876500000', '9876500000'])(
  'a caller whose network wrote %s is the same person',
  async (from_number) => {
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
  },
);

test('a number of our own is no person: calls that were made from it stay', async () => {
  const callId = await talked({ from_number: NUMBER, to_number: OTHER });
  expect(await erase()).toMatchObject({ calls: 0, contacts: 0 });
  expect((await admin.engine.call(callId)).from_number).toBe(NUMBER);
});

test('the do-not-disturb list keeps the number and nothing else, so that they are not called again', async () => {
  await admin.run(['dnd', 'add', NUMBER, '--org', owner.clientId, '--source', 'Asha wrote to us']);
  await talked();
  expect(await erase()).toMatchObject({ dnd_lists: 1 });
  expect(await holding(PERSONAL)).toEqual(['dnd_numbers.phone_number']);
  expect((await admin.json(`dnd check ${NUMBER} --org ${owner.clientId}`)).on_list).toBe(true);
});

test('erasing again finds nothing and changes nothing', async () => {
  await campaign();
  await talked();
  await erase();
  const before = await everything();
  expect(await erase()).toMatchObject({ calls: 0, contacts: 0, recordings: 0, contact_files: 0 });
  expect(await everything()).toEqual(before);
});

test('what comes late of an erased call is not kept', async () => {
  const callId = await talked();
  await requestAnalysis(admin.db, { callId, segments: [], now: 0, lookAt: 0 });
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

describe('a call that is under way', () => {
  test('is not erased, and nothing else is', async () => {
    const callId = await talked();
    await talked({ stage: 'placed', call_status: 'in progress', ended_at: null, concluded_at: null });
    const { status, err } = await admin.run(`person erase --phone ${NUMBER} --org ${owner.clientId} --yes`);
    expect([status, err]).toEqual([1, expect.stringContaining('1 of their calls are under way')]);
    expect((await admin.engine.call(callId)).name).toBe('Asha');
  });

  test('that is being processed is not erased', async () => {
    await talked({ concluded_at: null, post_processing_status: 'processing' });
    const { status } = await admin.run(`person erase --phone ${NUMBER} --org ${owner.clientId} --yes`);
    expect(status).toBe(1);
  });

  test('is hung up where that is asked for, and erased once it is over', async () => {
    const callId = await talked({
      stage: 'placed',
      call_status: 'in progress',
      ended_at: null,
      concluded_at: null,
    });
    const erasing = erase('--hang-up');
    // What carrier and worker do when they are signalled.
    for (;;) {
      const { hang_up_asked_at: asked } = await admin.engine.call(callId);
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

test('it is asked before, as it cannot be taken back', async () => {
  await talked();
  const { status, err } = await admin.run(`person erase --phone ${NUMBER} --org ${owner.clientId}`);
  expect([status, err]).toEqual([1, expect.stringContaining('say --yes')]);
  expect(await holding(['moonlight'])).not.toEqual([]);
});

test('another organisation keeps what it has, unless all are meant', async () => {
  await talked();
  const other = await admin.org();
  expect(await admin.json(`person erase --phone ${NUMBER} --org ${other.id} --yes`)).toMatchObject({
    calls: 0,
  });
  expect(await admin.json(`person erase --phone ${NUMBER} --yes`)).toMatchObject({ calls: 1 });
  expect(await holding(PERSONAL)).toEqual([]);
});

test('the audit says that somebody was erased, and not who', async () => {
  await talked();
  await erase('--as Mina');
  const [record] = (await admin.audit(owner.clientId)).filter(({ action }) => action === 'person.erase');
  expect(record).toMatchObject({ actor_id: 'Mina', subject_id: owner.clientId, fields: [] });
});

test('a number that is none is refused without repeating it', async () => {
  const { status, err } = await admin.run('person erase --phone 12345xyz --yes');
  expect(status).toBe(1);
  expect(err).not.toContain('12345xyz');
});
