/**
 * Bodies that aren't valid UTF-8. The API rejects them, so that no text is stored with replacement
 * characters.
 */
import { newAgent, newCampaign, countOf } from './support/rows';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;
let campaignId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
  campaignId = await newCampaign(api);
});
afterAll(() => api.close());

/** Each character stands for one byte. */
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

const sent = (path: string, method: string, type: string, body: string): Promise<Answer> =>
  api.ask(path, { method, body: bytes(body), headers: { 'Content-Type': type } });

const BOUNDARY = 'of-this-test';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (name: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const multipart = (...parts: string[]): string => `${parts.join('')}--${BOUNDARY}--\r\n`;

const FIELDS = {
  campaign_name: 'November reminders',
  concurrency: '2',
  from_date: '2026-11-02',
  to_date: '2026-11-06',
  start_time: '04:00',
  end_time: '10:30',
  days_of_week: 'monday',
};
const file = (content: string): string =>
  part('csv_file', content, '; filename="contacts.csv"\r\nContent-Type: text/csv');
const createForm = (fields: object, content = 'name,phone\nAsha,9876543210\n'): string =>
  multipart(
    ...Object.entries({ agent_id: agentId, ...FIELDS, ...fields }).map(([name, value]) => part(name, value)),
    file(content),
  );

const nameOf = async (): Promise<unknown> =>
  (await api.ask(`/api/campaigns/${campaignId}`)).body.campaign_name;

describe('a body that is not valid UTF-8', () => {
  test.each<[string, string, string]>([
    ['a byte of Latin-1 in JSON', 'application/json', '{"campaign_name":"Caf\xe9"}'],
    ['an overlong form in JSON', 'application/json', '{"campaign_name":"\xc0\xaf"}'],
    ['half a surrogate pair in the bytes of JSON', 'application/json', '{"campaign_name":"\xed\xa0\x80"}'],
    ['a truncated character at the end of JSON', 'application/json', '{"campaign_name":"x"}\xe0\xa4'],
    ['a byte in a form', 'application/x-www-form-urlencoded', 'campaign_name=Caf\xe9'],
    ['an escape in a form', 'application/x-www-form-urlencoded', 'campaign_name=Caf%E9'],
    ['an escape in the name of a field', 'application/x-www-form-urlencoded', 'campaign_name=x&%FF=1'],
    ['U+FFFD as an escape in a form', 'application/x-www-form-urlencoded', 'campaign_name=Caf%EF%BF%BD'],
    ['U+FFFD in a form', 'application/x-www-form-urlencoded', 'campaign_name=Caf\xef\xbf\xbd'],
    ['U+FFFD in the name of a field', 'application/x-www-form-urlencoded', 'campaign_name=x&%EF%BF%BD=1'],
    ['U+FFFD in a part', MULTIPART, multipart(part('campaign_name', 'Caf\xef\xbf\xbd'))],
    [
      'U+FFFD in the name of a part',
      MULTIPART,
      multipart(part('campaign_name', 'x'), part('caf\xef\xbf\xbd', '1')),
    ],
    ['a byte in the name of a part', MULTIPART, multipart(part('campaign_name', 'x'), part('caf\xe9', '1'))],
    ['a byte in a part', MULTIPART, multipart(part('campaign_name', 'Caf\xe9'))],
  ])('returns 400 and changes nothing for %s', async (_what, type, body) => {
    const before = await nameOf();
    const { status, body: answer } = await sent(`/api/campaigns/${campaignId}`, 'PUT', type, body);
    expect([status, answer]).toEqual([
      400,
      { detail: { code: 'INVALID_ENCODING', message: 'The body is not valid UTF-8' } },
    ]);
    expect(await nameOf()).toBe(before);
  });

  test.each([
    ['a part', MULTIPART, multipart(part('campaign_name', 'x'), part('unknown', 'a\0b'))],
    ['an escape', 'application/x-www-form-urlencoded', 'campaign_name=x&unknown=a%00b'],
  ])(
    'returns 422 for a NUL in an unknown field of a form, as %s, and changes nothing',
    async (_what, type, form) => {
      const before = await nameOf();
      const { status, body } = await sent(`/api/campaigns/${campaignId}`, 'PUT', type, form);
      expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
        422,
        ['body', 'unknown'],
        'unstorable_text',
      ]);
      expect(await nameOf()).toBe(before);
    },
  );

  test('rejects invalid UTF-8 in the error shape of dispatch, and places no call', async () => {
    const before = await countOf(api, 'calls');
    const call = `{"agent_id":"${agentId}","contact_number":"+919876543210","name":"Ren\xe9"}`;
    const { status, body } = await sent('/api/trigger-call/', 'POST', 'application/json', call);
    expect([status, body.error, body.detail.code]).toEqual([400, 'INVALID_ENCODING', 'INVALID_ENCODING']);
    expect(await countOf(api, 'calls')).toBe(before);
  });

  test('rejects invalid UTF-8 in the error shape of create, and creates nothing', async () => {
    const before = await countOf(api, 'campaigns');
    const form = createForm({ campaign_name: 'Caf\xe9' });
    const { status, body } = await sent('/api/campaigns/create', 'POST', MULTIPART, form);
    expect([status, body.status_code, body.code]).toEqual([400, 400, 'INVALID_ENCODING']);
    expect(await countOf(api, 'campaigns')).toBe(before);
  });
});

test.each(['contacts\xe9.csv', 'contacts\xef\xbf\xbd.csv'])(
  'rejects a contact file whose name is not valid UTF-8: %j',
  async (name) => {
    const form = multipart(
      ...Object.entries({ agent_id: agentId, ...FIELDS }).map(([field, value]) => part(field, value)),
      part('csv_file', 'name,phone\nAsha,9876543210\n', `; filename="${name}"\r\nContent-Type: text/csv`),
    );
    const { status, body } = await sent('/api/campaigns/create', 'POST', MULTIPART, form);
    expect([status, body.code]).toEqual([400, 'INVALID_ENCODING']);
  },
);

test('stores U+FFFD from JSON, because the API client wrote it', async () => {
  const body = '{"campaign_name":"Caf\xef\xbf\xbd"}';
  expect((await sent(`/api/campaigns/${campaignId}`, 'PUT', 'application/json', body)).status).toBe(200);
  expect(await nameOf()).toBe('Caf\ufffd');
});

test.each(['name,phone\nRen\xef\xbf\xbd,9876543210\n', 'Ren\xef\xbf\xbd,phone,name\nx,9876543210,Asha\n'])(
  'rejects a contact file that contains U+FFFD and names the cell: %j',
  async (content) => {
    const { status, body } = await sent('/api/campaigns/create', 'POST', MULTIPART, createForm({}, content));
    expect([status, body.code]).toEqual([400, 'INVALID_CONTACT_FILE']);
    expect(body.details[0].reason).toContain('U+FFFD');
  },
);

test('names the cell of a contact file that is not valid UTF-8', async () => {
  const form = createForm({}, 'name,phone\nRen\xe9,9876543210\n');
  const { status, body } = await sent('/api/campaigns/create', 'POST', MULTIPART, form);
  expect([status, body.code]).toEqual([400, 'INVALID_CONTACT_FILE']);
  expect(body.details).toEqual([
    expect.objectContaining({
      row: 2,
      column: 'name',
      reason: 'is not encoded in UTF-8; save the file as CSV UTF-8',
    }),
  ]);
});

test.each<[string, string, string]>([
  [
    'JSON after a byte order mark',
    'application/json',
    '\xef\xbb\xbf{"campaign_name":"Caf\xc3\xa9 \xf0\x9f\x99\x82"}',
  ],
  ['a form', 'application/x-www-form-urlencoded', 'campaign_name=Caf\xc3\xa9+%F0%9F%99%82'],
  ['a part', MULTIPART, multipart(part('campaign_name', 'Caf\xc3\xa9 \xf0\x9f\x99\x82'))],
  [
    'a part that names its encoding',
    MULTIPART,
    multipart(part('campaign_name', 'Caf\xe9 \u00d0', '\r\nContent-Type: text/plain; charset=iso-8859-1')),
  ],
])('stores UTF-8 text unchanged from %s', async (_what, type, body) => {
  expect((await sent(`/api/campaigns/${campaignId}`, 'PUT', type, body)).status).toBe(200);
  expect(await nameOf()).toBe(body.includes('iso') ? 'Caf\u00e9 \u00d0' : 'Caf\u00e9 \u{1f642}');
});

test("keeps a percent sign that doesn't begin an escape", async () => {
  const asked = await sent(
    `/api/campaigns/${campaignId}`,
    'PUT',
    'application/x-www-form-urlencoded',
    'campaign_name=50%+off+%zz',
  );
  expect([asked.status, await nameOf()]).toEqual([200, '50% off %zz']);
});
