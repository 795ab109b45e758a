import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';
import { insertCampaign, type NewCampaign } from '../../db/campaigns/campaigns';
import { openDatabase, type ConnectionOptions, type Db } from '../../db/kernel/connection';
import type { NewContact } from '../../db/campaigns/contacts';
import { rows } from '../../db/kernel/query';
import { campaignDraft } from './support/campaign-draft';
import { EngineDatabase, type Owner } from './support/engine-database';
import { PostgresProxy } from './support/postgres-proxy';

let engine: EngineDatabase;
let owner: Owner;

beforeAll(async () => {
  engine = await EngineDatabase.open();
  owner = await engine.owner();
});
afterAll(() => engine.close());
beforeEach(() =>
  engine.db.raw(
    'truncate campaigns, contacts, audit_log cascade; drop function if exists wait_for_test cascade',
  ),
);

const campaignOf = (contacts: NewContact[]): NewCampaign =>
  campaignDraft({
    ...owner,
    contacts,
    actor: { kind: 'api_key', id: 'key-1', requestId: 'request-1' },
    now: engine.now,
  });

const contactsOf = (count: number): NewContact[] =>
  Array.from({ length: count }, (_none, index) => ({
    row: index + 2,
    name: `Contact ${index}`,
    phoneNumber: `+9198765${String(index).padStart(5, '0')}`,
    variables: { city: 'Pune' },
    duplicateOf: null,
  }));

const stored = () =>
  rows<Record<string, any>>(
    engine.db,
    'select row_number as "row", name, phone_number as phone, variables, state, reason from contacts order by row_number',
  );

const counts = async () => {
  const [found] = await rows<Record<string, number>>(
    engine.db,
    `select (select count(*) from campaigns) as campaigns, (select count(*) from contacts) as contacts,
       (select count(*) from audit_log where action = 'campaign.create') as entries`,
  );
  return found;
};

/** Runs after each test, last added first, because a lock left by a failed test would block the next tests. */
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

function openOther(options: Partial<ConnectionOptions>): Db {
  const db = openDatabase({ url: engine.url, timeoutMs: 20_000, applicationName: 'test', ...options });
  closings.push(() => db.destroy());
  return db;
}

/** Makes the contact in the given row wait for a lock, and returns a function that releases it. */
async function holdCopyAt(row: number): Promise<() => Promise<void>> {
  await engine.db.raw(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin if new.row_number = ${row} then perform pg_advisory_xact_lock(42); end if; return new; end $$;
    create trigger wait_for_test before insert on contacts for each row execute function wait_for_test();`);
  const trx = await engine.db.transaction();
  await trx.raw('select pg_advisory_xact_lock(42)');
  const release = async (): Promise<void> => {
    if (!trx.isCompleted()) await trx.rollback();
  };
  closings.push(release);
  return release;
}

describe('copyContacts()', () => {
  test.each([
    ['a tab', 'a\tb'],
    ['line ends', 'a\r\nb\nc\rd'],
    ['backslashes', 'C:\\new\\table \\\\ \\'],
    ['the null marker of COPY', '\\N'],
    ['the end marker of COPY', '\\.'],
    ['quotes', `"a" 'b' \`c\``],
    ['another script, and an emoji', 'आशा 🙂 É'],
    ['braces and commas', '{"a":[1,2]},$1,?'],
    ['surrounding spaces', '  a  '],
  ])('stores %s unchanged', async (_title, text) => {
    const [contact] = contactsOf(1);
    await insertCampaign(
      engine.db,
      campaignOf([{ ...contact!, name: text, variables: { [text]: text, empty: '' } }]),
    );
    expect(await stored()).toEqual([
      {
        row: 2,
        name: text,
        phone: '+919876500000',
        variables: { [text]: text, empty: '' },
        state: 'pending',
        reason: null,
      },
    ]);
  });
});

test('stores a duplicate with a reference to the row that is dialled instead', async () => {
  const [first, second] = contactsOf(2);
  const campaign = await insertCampaign(engine.db, campaignOf([first!, { ...second!, duplicateOf: 2 }]));
  expect((await stored()).map(({ state, reason }) => [state, reason])).toEqual([
    ['pending', null],
    ['duplicate', 'same number as row 2'],
  ]);
  expect([campaign.total, campaign.failed]).toEqual([2, 1]);
});

test('stores ten thousand contacts in their order', async () => {
  await insertCampaign(engine.db, campaignOf(contactsOf(10_000)));
  const contacts = await stored();
  expect(contacts).toHaveLength(10_000);
  expect([contacts[0]?.row, contacts[9_999]?.row, contacts[9_999]?.name]).toEqual([
    2,
    10_001,
    'Contact 9999',
  ]);
});

test('records who created the campaign', async () => {
  const campaign = campaignOf(contactsOf(1));
  await insertCampaign(engine.db, campaign);
  expect(await rows(engine.db, `select * from audit_log where action = 'campaign.create'`)).toEqual([
    expect.objectContaining({
      organization_id: owner.organizationId,
      actor_kind: 'api_key',
      actor_id: 'key-1',
      request_id: 'request-1',
      action: 'campaign.create',
      subject_id: campaign.id,
      fields: [],
    }),
  ]);
});

describe('insertCampaign()', () => {
  const nothing = { campaigns: 0, contacts: 0, entries: 0 };

  test('leaves nothing behind when its connection is killed while it copies contacts', async () => {
    const release = await holdCopyAt(7_000);
    const inserted = insertCampaign(engine.db, campaignOf(contactsOf(10_000))).catch(
      (error: unknown) => error,
    );
    await engine.untilBlocked();
    await engine.db.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(isDatabaseUnreachable(await inserted)).toBe(true);
    await release();
    expect(await counts()).toEqual(nothing);
  });

  test('leaves nothing behind when its process dies while it copies contacts', async () => {
    const release = await holdCopyAt(7_000);
    const proxy = await PostgresProxy.open(engine.url);
    closings.push(() => Promise.resolve(proxy.close()));
    const db = openOther({ url: proxy.url });
    const inserted = insertCampaign(db, campaignOf(contactsOf(10_000))).catch((error: unknown) => error);
    await engine.untilBlocked();
    proxy.cut();
    expect(isDatabaseUnreachable(await inserted)).toBe(true);
    await release();
    await untilAlone();
    expect(await counts()).toEqual(nothing);
  });

  test('leaves nothing behind when a contact is rejected', async () => {
    const [first, second] = contactsOf(2);
    const campaign = campaignOf([first!, { ...second!, row: first!.row }]);
    await expect(insertCampaign(engine.db, campaign)).rejects.toMatchObject({ code: '23505' });
    expect(await counts()).toEqual(nothing);
  });

  test('leaves nothing behind when the copy waits longer than the time limit of a statement', async () => {
    const release = await holdCopyAt(5);
    // Sets Postgres' own limit, because our limit could fire first after a stall.
    const db = openOther({ poolSize: 1 });
    await rows(db, `set statement_timeout = '1s'`);
    await expect(insertCampaign(db, campaignOf(contactsOf(10)))).rejects.toMatchObject({ code: '57014' });
    await release();
    expect(await counts()).toEqual(nothing);
  });

  test('leaves nothing behind when Postgres stops responding, and runs the next statement on another connection', async () => {
    const proxy = await PostgresProxy.open(engine.url);
    closings.push(() => Promise.resolve(proxy.close()));
    const db = openOther({ url: proxy.url, timeoutMs: 3_000, poolSize: 1 });
    proxy.silenceAfter('copy contacts');
    const fault = await insertCampaign(db, campaignOf(contactsOf(10_000))).catch((error: unknown) => error);
    expect(isDatabaseUnreachable(fault)).toBe(true);
    proxy.speak();
    expect(await rows(db, 'select 1 as one')).toEqual([{ one: 1 }]);
    await untilAlone();
    expect(await counts()).toEqual(nothing);
  });
});

test('releases the connection of a rejected campaign', async () => {
  const db = openOther({ poolSize: 1 });
  const [first] = contactsOf(1);
  await expect(insertCampaign(db, campaignOf([first!, first!]))).rejects.toMatchObject({ code: '23505' });
  await insertCampaign(db, campaignOf(contactsOf(3)));
  expect(await counts()).toEqual({ campaigns: 1, contacts: 3, entries: 1 });
});

/** Resolves when no connection outside this pool is in a transaction, so that the work of a lost connection is rolled back. */
async function untilAlone(): Promise<void> {
  const busy = `select 1 from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  while ((await rows(engine.db, busy)).length > 0) await new Promise(setImmediate);
}
