import { AdminConsole } from './support/admin-console';

const HOUR_MS = 3_600_000;
let admin: AdminConsole;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
  org = await admin.org();
  admin.clock.time += 24 * HOUR_MS;
  await admin.run(`org limits --org ${org.id} --max-concurrency 5`);
  const { id } = await admin.json(`key create --org ${org.id}`);
  await admin.run(`key revoke ${id} --yes`);
  await admin.org();
});
afterAll(() => admin.close());

const actions = async (options: string) =>
  (await admin.json(`audit list ${options}`.trim())).map(({ action }: any) => action);

test('lists the newest audit entry first', async () => {
  expect(await actions(`--org ${org.id}`)).toEqual(['key.revoke', 'key.create', 'org.update', 'org.create']);
});

test('filters entries by organization, subject and time, and limits their number', async () => {
  const all = await actions('');
  expect(all).toHaveLength(5);
  const [key] = await admin.json(`key list --org ${org.id}`);
  expect(await actions(`--subject ${key.id}`)).toEqual(['key.revoke', 'key.create']);
  expect(await actions(`--org ${org.id} --since 1h`)).toEqual(['key.revoke', 'key.create', 'org.update']);
  expect(await actions(`--org ${org.id} --since 2026-11-01 --limit 2`)).toEqual(['key.revoke', 'key.create']);
  expect(await actions('--subject nothing')).toEqual([]);
});

test('shows time, actor, action and subject in each line', async () => {
  const { out } = await admin.run(`audit list --subject ${org.id} --limit 1`);
  const [head = '', row = ''] = out.split('\n');
  expect(head.split(/ {2,}/)).toEqual([
    'at',
    'who',
    'action',
    'subject',
    'fields',
    'organization',
    'address',
    'request',
  ]);
  expect(row.split(/ {2,}/)).toEqual([
    ...[
      new Date(admin.clock.now()).toISOString(),
      expect.stringMatching(/^operator ./),
      'org.update',
      org.id,
    ],
    ...['max_concurrency', org.name, '-', '-'],
  ]);
});

test('shows the name of a key beside its id, or its first characters if it has no name', async () => {
  const { id } = await admin.json(['key', 'create', '--org', org.id, '--name', 'night reports']);
  const nameless = await admin.json(`key create --org ${org.id}`);
  const change = {
    organization_id: org.id,
    at: new Date(admin.clock.now()),
    actor_kind: 'api_key',
    action: 'agent.update',
  };
  await admin.db('audit_log').insert([
    { ...change, actor_id: id, subject_id: 'agent-2' },
    { ...change, actor_id: nameless.id, subject_id: 'agent-3' },
  ]);
  const { out } = await admin.run('audit list --subject agent-2');
  expect(out.split('\n')[1]).toContain(`api_key ${id} (night reports)`);
  const [record] = await admin.json('audit list --subject agent-3');
  expect(record.actor).toEqual({ kind: 'api_key', id: nameless.id, name: nameless.key.slice(0, 12) });
});

test('shows entries of an organization that no longer exists', async () => {
  await admin.db('audit_log').insert({
    ...{
      at: new Date(admin.clock.now()),
      organization_id: '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11',
      actor_kind: 'api_key',
    },
    ...{ actor_id: 'key-1', request_id: 'request-1', action: 'agent.update', subject_id: 'agent-1' },
  });
  const { out } = await admin.run('audit list --subject agent-1');
  expect(out.split('\n')[1]).toMatch(/api_key key-1 +agent\.update +agent-1 +- +0d1f7c1e-\S+ +- +request-1$/);
});
