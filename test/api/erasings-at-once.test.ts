/** Erasings that die on their way, or run beside others: what is left of a person, and who has to wait. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { fileOfContacts } from '../../api/campaigns/file-of-contacts';
import { contactsOfFile } from '../../db/campaigns/contacts';
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

test('what is looked for under the lock of the client is found by indexes, however much there is', async () => {
  await campaign();
  await talked();
  const asked: { sql: string; bindings: readonly Knex.RawBinding[] }[] = [];
  const note = (query: (typeof asked)[number]): void => void asked.push(query);
  admin.db.on('query', note);
  await erase();
  admin.db.removeListener('query', note);
  const statements = asked.filter(({ sql }) => /^\s*(with|select|update|delete)/i.test(sql));
  // Small by themselves, and read after the commit.
  const ofAll = statements.filter(({ sql }) => !/files_to_remove|from clients order by/.test(sql));
  expect(ofAll.length).toBeGreaterThan(8);
  await admin.db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    for (const { sql, bindings } of ofAll) {
      const positional = sql.replaceAll(/\$\d+/g, '?');
      const { rows: plan } = await trx.raw(`explain ${positional}`, [...bindings]);
      expect([sql, JSON.stringify(plan)]).toEqual([sql, expect.not.stringContaining('Seq Scan')]);
    }
  });
});
