/** Erasings that die on their way, or run beside others: what is left of a person, and who has to wait. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { fileOfContacts } from '../../api/campaigns/file-of-contacts';
import { contactsOfFile } from '../../db/campaigns/contacts';
import { rows } from '../../db/kernel/query';
import { LATE_FILE_MS, removeListedFiles } from '../../db/clients/files-to-remove';
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

test('what an erasing left that died between its rows and its files is removed by the next, whoever that is of', async () => {
  await campaign();
  await talked();
  const remove = jest.spyOn(admin.storage, 'remove').mockRejectedValue(new Error('killed'));
  await expect(erase()).rejects.toThrow('killed');
  remove.mockRestore();
  expect(await holding(PERSONAL)).toEqual([expect.stringMatching(/^file /), expect.stringMatching(/^file /)]);
  await erase('', OTHER);
  expect(await holding(PERSONAL)).toEqual([]);
});

test('of a recording that was stored or sent in part when its process died, before the call had it, nothing is left', async () => {
  const callId = await talked();
  await admin.db('recordings').delete();
  await admin.storage.put(`recordings/${callId}.ogg`, Buffer.from('moonlight'));
  await mkdir(join(admin.dataDir, 'files', 'recordings', `${callId}.wav.part`));
  await writeFile(join(admin.dataDir, 'files', 'recordings', `${callId}.wav.part`, 'x'), 'moonlight');
  await erase();
  expect(await holding(PERSONAL)).toEqual([]);
});

test('a recording that was on its way during the erasing is removed by the daily run, should its process have died', async () => {
  const callId = await talked();
  await erase();
  await admin.storage.put(`recordings/${callId}.wav`, Buffer.from('moonlight'));
  const parts = { db: admin.db, files: admin.storage };
  await removeListedFiles(parts, admin.engine.now + LATE_FILE_MS);
  expect(await holding(PERSONAL)).toEqual([]);
  expect(await admin.db('files_to_remove')).toEqual([]);
});

describe('erasings at once', () => {
  test('of two persons of a file leave nothing of either in it', async () => {
    const id = await campaign();
    await admin.db('contacts').where({ campaign_id: id, phone_number: OTHER }).update({ name: 'Ottoline' });
    await talked();
    await Promise.all([erase(), erase('', OTHER)]);
    expect(await holding([...PERSONAL, '9876500001', 'ottoline'])).toEqual([]);
    const file = fileOfContacts(['city'], await contactsOfFile(admin.db, id)).toString();
    expect(file).toBe('name,phone_number,city\r\n\r\n\r\nContact 4,+919876500002,Pune\r\n');
  });

  test('of one person leave nothing, and count each thing once', async () => {
    await campaign();
    await talked();
    const both = await Promise.all([erase(), erase()]);
    expect(both.map(({ calls }) => calls).sort()).toEqual([0, 1]);
    expect(await holding(PERSONAL)).toEqual([]);
  });
});

test('no lock is held while files are removed, which may take long', async () => {
  await talked();
  let unlocked = false;
  const remove = jest.spyOn(admin.storage, 'remove').mockImplementation(async () => {
    await admin.db.raw('select 1 from clients, calls for update nowait');
    unlocked = true;
  });
  await erase();
  remove.mockRestore();
  expect(unlocked).toBe(true);
});

/** Calls both ways, contacts and keys of others, as many as make a search through all of them dear. */
async function crowd(): Promise<void> {
  const { clientId, agentId } = person.owner;
  await admin.engine.campaign(person.owner, { contacts: 4_000 });
  await rows(
    admin.db,
    `insert into calls (call_id, client_id, agent_id, agent_version, call_type, direction, to_number, from_number, carrier_id, accepted_at)
     select 'crowd-' || n, :clientId, :agentId, 1, 'Inbound', case when n % 2 = 0 then 'Outbound' else 'Incoming' end, '+9170' || n, '+9171' || n,
       'crowd-' || n, now() from generate_series(1, 8000) n`,
    { clientId, agentId },
  );
  await rows(
    admin.db,
    `insert into idempotency_keys (client_id, key, fingerprint, subject_id, created_at, leased_until)
     select :clientId, n, '', 'crowd-' || n, now(), now() from generate_series(1, 4000) n`,
    { clientId },
  );
  await admin.db.raw('analyze');
}

test('what is looked for under the lock of the client is found by indexes, however much there is', async () => {
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
