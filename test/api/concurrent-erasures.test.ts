/** Erasures that are interrupted or run concurrently. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { fileOfContacts } from '../../api/campaigns/contact-files';
import { contactsOfFile } from '../../db/campaigns/contacts';
import { rows } from '../../db/kernel/query';
import { LATE_FILE_MS, removeListedFiles } from '../../db/organizations/files-to-remove';
import type { AdminConsole } from './support/admin-console';
import { OTHER, PERSONAL, StoredPerson } from './support/stored-person';

let person: StoredPerson;
let admin: AdminConsole;

beforeAll(async () => {
  person = await StoredPerson.open();
  ({ admin } = person);
});
beforeEach(() => person.clear());
afterAll(() => person.close());

const talked = (row?: object) => person.talked(row);
const campaign = (extension?: string) => person.campaign(extension);
const holding = (words: readonly string[]) => person.holding(words);
const erase = (more?: string, number?: string) => person.erase(more, number);

test('removes files that an interrupted erasure left behind, during the next erasure of any person', async () => {
  await campaign();
  await talked();
  const remove = jest.spyOn(admin.storage, 'remove').mockRejectedValue(new Error('killed'));
  await expect(erase()).rejects.toThrow('killed');
  remove.mockRestore();
  expect(await holding(PERSONAL)).toEqual([expect.stringMatching(/^file /), expect.stringMatching(/^file /)]);
  await erase('', OTHER);
  expect(await holding(PERSONAL)).toEqual([]);
});

test('removes a recording that was stored before its process could register it', async () => {
  const callId = await talked();
  await admin.db('recordings').delete();
  await admin.storage.put(`recordings/${callId}.ogg`, Buffer.from('moonlight'));
  await mkdir(join(admin.dataDir, 'files', 'recordings', `${callId}.wav.part`));
  await writeFile(join(admin.dataDir, 'files', 'recordings', `${callId}.wav.part`, 'x'), 'moonlight');
  await erase();
  expect(await holding(PERSONAL)).toEqual([]);
});

test('lets the daily cleanup remove a recording that was stored during the erasure', async () => {
  const callId = await talked();
  await erase();
  await admin.storage.put(`recordings/${callId}.wav`, Buffer.from('moonlight'));
  const parts = { db: admin.db, files: admin.storage };
  await removeListedFiles(parts, admin.engine.now + LATE_FILE_MS);
  expect(await holding(PERSONAL)).toEqual([]);
  expect(await admin.db('files_to_remove')).toEqual([]);
});

describe('concurrent erasures', () => {
  test('leaves no data of two people who are in the same file and are erased concurrently', async () => {
    const id = await campaign();
    await admin.db('contacts').where({ campaign_id: id, phone_number: OTHER }).update({ name: 'Ottoline' });
    await talked();
    await Promise.all([erase(), erase('', OTHER)]);
    expect(await holding([...PERSONAL, '9876500001', 'ottoline'])).toEqual([]);
    const file = fileOfContacts(['city'], await contactsOfFile(admin.db, id, 4)).toString();
    expect(file).toBe('name,phone_number,city\r\n\r\n\r\nContact 4,+919876500002,Pune\r\n');
  });

  test('leaves no data of a person who is erased twice concurrently, and counts each row once', async () => {
    await campaign();
    await talked();
    const both = await Promise.all([erase(), erase()]);
    expect(both.map(({ calls }) => calls).sort()).toEqual([0, 1]);
    expect(await holding(PERSONAL)).toEqual([]);
  });
});

test('holds no lock while an erasure removes files', async () => {
  await talked();
  let unlocked = false;
  const remove = jest.spyOn(admin.storage, 'remove').mockImplementation(async () => {
    await admin.db.raw('select 1 from organizations, calls for update nowait');
    unlocked = true;
  });
  await erase();
  remove.mockRestore();
  expect(unlocked).toBe(true);
});

/** Inserts calls in both directions, contacts and keys of other people, so many that a full scan is expensive. */
async function crowd(): Promise<void> {
  const { organizationId, agentId } = person.owner;
  await admin.engine.campaign(person.owner, { contacts: 4_000 });
  await rows(
    admin.db,
    `insert into calls (call_id, organization_id, agent_id, agent_version, call_type, direction, to_number, from_number, carrier_id, accepted_at)
     select 'crowd-' || n, :organizationId, :agentId, 1, 'Inbound', case when n % 2 = 0 then 'Outbound' else 'Incoming' end, '+9170' || n, '+9171' || n,
       'crowd-' || n, now() from generate_series(1, 8000) n`,
    { organizationId, agentId },
  );
  await rows(
    admin.db,
    `insert into idempotency_keys (organization_id, key, fingerprint, subject_id, created_at, leased_until)
     select :organizationId, n, '', 'crowd-' || n, now(), now() from generate_series(1, 4000) n`,
    { organizationId },
  );
  await admin.db.raw('analyze');
}

test("uses an index for every query that an erasure runs under the organization's lock", async () => {
  await talked();
  await crowd();
  const asked: { sql: string; bindings: readonly Knex.RawBinding[] }[] = [];
  const note = (query: (typeof asked)[number]): void => void asked.push(query);
  admin.db.on('query', note);
  await erase();
  admin.db.removeListener('query', note);
  const read = asked.filter(
    ({ sql }) => /\b((all_)?calls|contacts|idempotency_keys)\b/.test(sql) && !/^insert/.test(sql),
  );
  expect(read.length).toBeGreaterThan(8);
  for (const { sql, bindings } of read) {
    const plan: unknown = await admin.db.raw(`explain ${sql.replaceAll(/\$\d+/g, '?')}`, [...bindings]);
    expect(JSON.stringify(plan)).not.toMatch(
      /Seq Scan on (calls|contacts|idempotency_keys)\b|Filter:[^"]*(_number|subject_id)/,
    );
  }
});
