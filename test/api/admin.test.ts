/** The command line itself: help, mistyped commands, confirmations and output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AdminConsole } from './support/admin-console';

let admin: AdminConsole;

beforeAll(async () => {
  admin = await AdminConsole.open();
});
afterAll(() => admin.close());

const VERBS = [
  ...['org create', 'org list', 'org show', 'org update', 'org limits'],
  ...['key create', 'key list', 'key revoke', 'key expire'],
  'console link',
  ...['secret create', 'secret list', 'secret rotate', 'secret revoke'],
  'secrets re-encrypt',
  'storage move',
  ...['dnd import', 'dnd add', 'dnd remove', 'dnd check', 'dnd list', 'dnd count', 'dnd clear'],
  ...['number add', 'number remove', 'number list', 'number import'],
  ...['campaign list', 'campaign show', 'campaign pause', 'campaign resume', 'campaign cancel'],
  'audit list',
];

describe('help', () => {
  test.each(['', '--help', 'help'])('prints every noun for %j', async (line) => {
    const { status, out, err } = await admin.run(line);
    expect([status, err]).toEqual([0, '']);
    for (const noun of ['org', 'key', 'secret', 'secrets', 'dnd', 'number', 'campaign', 'webhook', 'audit'])
      expect(out).toContain(`\n  ${noun} `);
  });

  test.each(VERBS)('explains %s with an example and needs no environment variables', async (command) => {
    const before = admin.opened;
    const { status, out } = await admin.run(`${command} --help`);
    expect(status).toBe(0);
    expect(out).toContain(`Usage: npm run admin -- ${command}`);
    expect(out).toMatch(new RegExp(`Examples?:\n  npm run -s admin -- ${command}`));
    expect(admin.opened).toBe(before);
  });

  test.each(VERBS)('lists %s among the verbs of its noun', async (command) => {
    const [noun = '', verb = ''] = command.split(' ');
    expect((await admin.run(`${noun} --help`)).out).toMatch(new RegExp(`\n  ${verb} `));
  });

  test.each(VERBS)('contains only valid examples for %s', async (command) => {
    const { out } = await admin.run(`${command} --help`);
    const examples = [...out.matchAll(/^ {2}npm run -s admin -- (.*)$/gm)].map(([, line = '']) =>
      words(line),
    );
    expect(examples).not.toHaveLength(0);
    for (const example of examples) {
      // A valid command opens connections, even if the object that it names doesn't exist.
      const before = admin.opened;
      await admin.run(example);
      expect(admin.opened).toBe(before + 1);
    }
  });

  test('lists the verbs of a noun if the verb is missing, and exits with 1', async () => {
    const { status, out, err } = await admin.run('key');
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('revoke');
  });
});

describe("the operators' handbook", () => {
  const handbook = readFileSync(join(__dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
  const lines = [...handbook.matchAll(/^npm run -s admin -- (.*?)(?: +#.*)?$/gm)].map(
    ([, line = '']) => line,
  );

  test('names every command', () => {
    const named = [...handbook.matchAll(/^- ((?:`[a-z -]+`(?:, )?)+)/gm)].flatMap(([, names = '']) => {
      const [first = '', ...verbs] = [...names.matchAll(/`([a-z -]+)`/g)].map(([, name = '']) => name);
      const noun = first.split(' ')[0] ?? '';
      return [first, ...verbs.map((verb) => (verb.includes(' ') ? verb : `${noun} ${verb}`))];
    });
    expect(VERBS.filter((verb) => !named.includes(verb))).toEqual([]);
  });

  test.each(lines)('contains the valid command: %s', async (line) => {
    const { out, err } = await admin.run(words(line.replaceAll(/<[^>]*>/g, 'id')));
    expect(out + err).not.toBe('');
    expect(err).not.toContain('See: npm run admin');
  });
});

/** Splits a line into words as a shell does. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

describe('an invalid command', () => {
  test.each([
    ['org remove', 'There is no command "org remove"', '--help'],
    ['colour red', 'There is no command "colour red"', '--help'],
    ['org create', '--name is missing', 'org create --help'],
    ['org create --name', '--name needs a value', 'org create --help'],
    [
      'org create --name X --max-concurrency 0',
      '--max-concurrency must be an integer between 1',
      'org create',
    ],
    [
      'org create --name X --max-concurrency 1e3',
      '--max-concurrency must be an integer between 1',
      'org create',
    ],
    [
      'org limits --org X --dispatch-per-minute -1',
      '--dispatch-per-minute must be an integer between 0',
      'org limits',
    ],
    ['key create', '--org is missing', 'key create --help'],
    ['key create --org X --colour red', 'Unknown option "--colour"', 'key create --help'],
    ['key create --org X --expires soon', '--expires must be a duration such as', 'key create --help'],
    ['key create --org X --expires 2026-02-30', '--expires must be a duration such as', 'key create --help'],
    ['key expire X --at 10:00', '--at must be a date or timestamp in UTC', 'key expire --help'],
    ['key revoke', '<key> is missing', 'key revoke --help'],
    ['key revoke one two', 'Too many arguments', 'key revoke --help'],
    ['campaign list --status done', '--status must be one of scheduled, active', 'campaign list --help'],
    ['dnd list --org X --limit many', '--limit must be an integer between 1', 'dnd list --help'],
  ])(
    'rejects "%s" with the reason and a reference to the help, and opens no connection',
    async (line, message, help) => {
      const before = admin.opened;
      const { status, out, err } = await admin.run(line);
      expect([status, out, admin.opened]).toEqual([1, '', before]);
      const [sentence, see, ...more] = err.split('\n');
      expect(sentence).toContain(message);
      expect(see).toContain(`See: npm run admin -- ${help}`);
      expect(more).toEqual([]);
    },
  );
});

test("doesn't repeat an invalid command, because it may contain a key or a number", async () => {
  const { err } = await admin.run('key expire vap_SECRETSECRET --in +919876543210');
  expect(err).toContain('--in must be');
  expect(err).not.toMatch(/SECRET|98765/);
});

test.each([
  'key create --org',
  'secret create --org',
  'org show --org',
  'dnd count --org',
  'audit list --org',
])("rejects %s for an organization that doesn't exist", async (line) => {
  for (const org of ['Nobody', '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11']) {
    const { status, out, err } = await admin.run(`${line} ${org}`);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^There is no organization .*$/);
  }
});

describe("a command that can't be undone", () => {
  let key: { id: string };
  const isRevoked = async () =>
    (await admin.db('api_keys').where({ id: key.id }).first()).revoked_at !== null;

  beforeEach(async () => {
    const { id } = await admin.org();
    key = await admin.json(`key create --org ${id}`);
  });

  test('requires --yes without a terminal', async () => {
    const refused = await admin.run(`key revoke ${key.id}`);
    expect([refused.status, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('Pass --yes');
    expect(await isRevoked()).toBe(false);
    expect((await admin.run(`key revoke ${key.id} --yes`)).status).toBe(0);
    expect(await isRevoked()).toBe(true);
  });

  test.each(['', 'n', 'no', 'yesterday'])('changes nothing after the answer %j', async (answer) => {
    const { status, out, err } = await admin.run(`key revoke ${key.id}`, { answers: [answer] });
    expect([status, out, err]).toEqual([1, '', 'Cancelled. Nothing was changed']);
    expect(await isRevoked()).toBe(false);
  });

  test.each(['y', 'YES', ' yes '])('runs the command if the operator answers %j', async (answer) => {
    const { status } = await admin.run(`key revoke ${key.id}`, { answers: [answer] });
    expect(status).toBe(0);
    expect(admin.questions).toEqual([expect.stringContaining('cannot be restored')]);
    expect(await isRevoked()).toBe(true);
  });

  test('asks for no confirmation with --yes', async () => {
    await admin.run(`key revoke ${key.id} --yes`, { answers: [] });
    expect(admin.questions).toEqual([]);
    expect(await isRevoked()).toBe(true);
  });
});

describe('output', () => {
  test('records who ran the command in the audit log, or the name given by --as', async () => {
    const { id } = await admin.org();
    await admin.run(`org limits --org ${id} --max-concurrency 3`);
    await admin.run(['org', 'limits', '--org', id, '--max-concurrency', '4', '--as', 'Asha Rao']);
    const [created, , second] = await admin.audit(id);
    expect(created).toMatchObject({
      actor_kind: 'operator',
      request_id: null,
      action: 'org.create',
      subject_id: id,
    });
    expect(created.actor_id).not.toBe('');
    expect(second).toMatchObject({ actor_id: 'Asha Rao', action: 'org.update', fields: ['max_concurrency'] });
  });

  test('prints bold headings on a terminal only', async () => {
    await admin.org();
    expect((await admin.run('org list', { isStyled: true })).out).toContain('\u001b[1mid\u001b[22m');
    expect((await admin.run('org list')).out).not.toContain('\u001b');
  });

  test('replaces control characters of a name, in text and in JSON', async () => {
    const { id, organizationId } = await admin.campaign('\u001b[2Jgone\u009b2J\nsecond\u202eline');
    const { out } = await admin.run(`campaign show ${id}`);
    const json = await admin.run(`campaign list --org ${organizationId} --json`);
    for (const text of [out.replaceAll('\n', ''), json.out]) {
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
    expect(out).toContain('\ufffd[2Jgone\ufffd2J\ufffdsecond\ufffdline');
    const paused = await admin.run(`campaign pause ${id}`);
    const cancelled = await admin.run(`campaign cancel ${id}`, { answers: ['y'] });
    for (const text of [
      paused.out,
      cancelled.out,
      ...admin.questions.map((asked) => asked.replace('\n', '')),
    ]) {
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
    expect(json.json[0].campaign_name).toBe('\u001b[2Jgone\u009b2J\nsecond\u202eline');
  });
});

test('prints the command to run when the database has no tables or an older version', async () => {
  const { db } = admin;
  await db.raw('alter table api_keys rename column label to old_label');
  expect((await admin.run('key list')).err).toBe(
    'The database schema is out of date. Run "npm run migrate" first',
  );
  await db.raw('alter table api_keys rename column old_label to label');
  await db.raw('alter table audit_log rename to gone');
  expect((await admin.run('audit list')).err).toBe(
    'The database has no tables yet. Run "npm run migrate" first',
  );
  await db.raw('alter table gone rename to audit_log');
});
