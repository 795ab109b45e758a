import { AdminConsole } from './support/admin-console';

let admin: AdminConsole;
let org: { id: string; name: string };

beforeAll(async () => {
  admin = await AdminConsole.open();
});
beforeEach(async () => {
  org = await admin.org();
});
afterAll(() => admin.close());

const retention = (options = '') => admin.json(`org retention --org ${org.id} ${options}`.trim());

test('keeps everything forever by default', async () => {
  expect(await retention()).toEqual({
    ...org,
    recordings_days: null,
    transcripts_days: null,
    contacts_days: null,
  });
  expect((await admin.run(`org retention --org ${org.id}`)).out).toContain('forever');
});

test('sets one retention period and keeps the others', async () => {
  await retention('--recordings-days 30 --transcripts-days 90');
  expect(await retention('--contacts-days 365')).toMatchObject({
    recordings_days: 30,
    transcripts_days: 90,
    contacts_days: 365,
  });
  expect((await admin.run(`org retention --org ${org.id}`)).out).toMatch(/recordings:\s+30 days/);
});

test.each(['0', 'none'])('keeps data forever with %s', async (days) => {
  await retention('--recordings-days 30 --transcripts-days 90');
  expect(await retention(`--recordings-days ${days}`)).toMatchObject({
    recordings_days: null,
    transcripts_days: 90,
  });
});

test('records changed columns, but no reads', async () => {
  await retention();
  await retention('--transcripts-days 90');
  const records = (await admin.audit(org.id)).filter(({ action }) => action === 'org.update');
  expect(records).toMatchObject([{ fields: ['transcripts_days'], subject_id: org.id }]);
});

test.each(['-1', '1.5', 'soon', '36526'])('rejects %s days', async (days) => {
  const { status, err } = await admin.run(['org', 'retention', '--org', org.id, `--contacts-days=${days}`]);
  expect(status).toBe(1);
  expect(err).toContain('--contacts-days must be an integer between 0 and 36525, or "none"');
});
