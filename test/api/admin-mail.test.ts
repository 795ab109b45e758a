import { AdminConsole } from './support/admin-console';

let admin: AdminConsole;

beforeAll(async () => {
  admin = await AdminConsole.open();
});
afterAll(() => admin.close());

test('confirms, lists and removes an address without naming it in the audit log', async () => {
  const { id } = await admin.org();
  const command = (verb: string) => admin.json(`mail ${verb} --org ${id} --address Asha@Example.com`);
  expect(await command('confirm')).toEqual({ changed: true });
  expect(await command('confirm')).toEqual({ changed: false });
  expect(await admin.json(`mail list --org ${id}`)).toEqual([
    { address: 'asha@example.com', requested_at: null, confirmed_at: expect.any(String) },
  ]);
  expect(await command('remove')).toEqual({ changed: true });
  expect(await command('remove')).toEqual({ changed: false });
  expect(await admin.json(`mail list --org ${id}`)).toEqual([]);
  const audit = await admin.audit(id);
  expect(audit.map(({ action }) => action)).toEqual(['org.create', 'mail.confirm', 'mail.remove']);
  expect(JSON.stringify(audit).toLowerCase()).not.toContain('asha');
});

test.each(['asha', 'a@b.test,c@d.test', 'A <a@b.test>'])(
  'rejects %j, which is not a single address',
  async (address) => {
    const { id } = await admin.org();
    const { status, err } = await admin.run(['mail', 'confirm', '--org', id, '--address', address]);
    expect([status, err]).toEqual([1, expect.stringContaining('--address must be one e-mail address')]);
  },
);
