/** Checks creating a campaign: form, response, errors and contact file. */
import { randomUUID } from 'node:crypto';
import { expectStatus, refusalOf, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import { expectType } from '../types';
import { cell, defaultOf, inlineFields, timeRangeOf, wordsOf } from '../values';
import { casesOf } from './campaign-fields';

const ENDPOINT = 'Endpoints > POST /api/campaigns/create';
const CAMPAIGN = 'Resources and their fields > Campaign';

export function createCampaignChecks(coverage: Coverage): void {
  coverage.coversRows(ENDPOINT, async (bench, item) => {
    const field = cell(item, 'Field');
    await isRequired(bench, field, cell(item, 'Required') === 'yes');
    await (OTHER_FIELDS[field] ?? takesItsValues)(bench, item);
    await defaults(bench, field, defaultOf(cell(item, 'Rule / default')));
  });
  coverage.under(ENDPOINT, {
    'multipart/form-data.': async (bench) => {
      const answer = await bench.api.ask('/api/campaigns/create', { json: { campaign_name: 'A' } });
      expect(refusalOf(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expectStatus(await bench.create(), 201);
    },
    'Response 201: campaign object (see Campaign).': async (bench) => {
      const { status, body } = await bench.create();
      expect([status, Object.keys(body).includes('excel_blob_url')]).toEqual([201, true]);
    },
  });
  coverage.under(CAMPAIGN, { [CREATED]: hasTheFields, [NAMES]: isStoredUnderOtherNames });
  coverage.coversRows('Errors > Campaign create error body (status 400 in the example)', isInTheEnvelope);
  coverage.under('Errors', ERRORS);
}

const CREATED =
  'Create response (201) fields: id (UUID), client_id, agent_id, campaign_name, excel_blob_url (URL of the stored contact file), campaign_status, contact_source_type (e.g. csv), days_of_week (comma-separated string), time_range_from and time_range_to (HH:MM:SSZ), max_retries, retry_after_mins, call_concurrency, start_date and end_date (timestamps without zone), notification_emails (array of string), webhook_url (nullable), perform_dnd_check, created_at, updated_at.';
const NAMES =
  'Naming differences between request and stored campaign: request concurrency is stored as call_concurrency; retry_delay_mins as retry_after_mins; start_time/end_time as time_range_from/time_range_to; from_date/to_date as start_date/end_date.';

async function isRequired(bench: Bench, field: string, isNeeded: boolean): Promise<void> {
  const answer = await bench.create({ [field]: null }, { withoutFile: field === 'csv_file' });
  if (!isNeeded) return expectStatus(answer, 201);
  expect(refusalOf(answer)).toEqual([422, 'VALIDATION_ERROR']);
  expect(answer.body.details.map((fault: any) => fault.field)).toEqual([field]);
}

const takesItsValues: Check = async (bench, item) => {
  const field = cell(item, 'Field');
  const { accepted, refused, storedAs } = casesOf(field, cell(item, 'Rule / default'));
  for (const [given, stored] of accepted) {
    const created = await bench.campaign({ [field]: given });
    expect((await everythingOf(bench, created.id))[storedAs]).toEqual(stored);
  }
  for (const [given, status, code] of refused) {
    const answer = await bench.create({ [field]: given });
    expect([given, ...refusalOf(answer)]).toEqual([given, status, code]);
    if (status === 422) expect(answer.body.details[0].field).toBe(field);
  }
};

/** The campaign as returned, plus the one field that isn't in any response. */
async function everythingOf(bench: Bench, id: string): Promise<any> {
  const { per_call_webhook_url } = await bench.storedCampaign(id);
  return { ...(await bench.get(`/api/campaigns/${id}`)), per_call_webhook_url };
}

async function defaults(bench: Bench, field: string, expected: unknown): Promise<void> {
  if (expected === undefined) return;
  const { id } = await bench.campaign();
  const storedAs = field === 'perform_dnd_check' ? field : casesOf(field, '1-1').storedAs;
  expect((await everythingOf(bench, id))[storedAs]).toEqual(expected);
}

/** Fields that update doesn't accept. */
const OTHER_FIELDS: Readonly<Record<string, Check>> = {
  csv_file: async (bench) => {
    const { id } = await bench.campaign();
    expect((await bench.get(`/api/campaigns/${id}`)).stats.total_calls).toBe(2);
    const asText = await bench.create({ csv_file: 'name,phone\nAsha,9876543210' }, { withoutFile: true });
    expect(refusalOf(asText)).toEqual([422, 'VALIDATION_ERROR']);
  },
  agent_id: async (bench) => {
    expect((await bench.campaign({ agent_id: bench.agentId.toUpperCase() })).agent_id).toBe(bench.agentId);
    expect(refusalOf(await bench.create({ agent_id: randomUUID() }))).toEqual([404, 'AGENT_NOT_FOUND']);
    expect(refusalOf(await bench.create({ agent_id: ' ' }))).toEqual([422, 'VALIDATION_ERROR']);
  },
  perform_dnd_check: async (bench) => {
    for (const value of ['true', 'false']) {
      expect((await bench.campaign({ perform_dnd_check: value })).perform_dnd_check).toBe(value === 'true');
    }
    expect(refusalOf(await bench.create({ perform_dnd_check: 'maybe' }))).toEqual([422, 'VALIDATION_ERROR']);
  },
};

/** Checks the fields that the sentence names. A field without a type has the same type as in the request. */
const hasTheFields: Check = async (bench, { text }) => {
  const created = await bench.campaign({ campaign_webhook_url: 'https://example.com/hook' });
  const fields = inlineFields(text);
  expect(Object.keys(created).sort()).toEqual(fields.map(({ name }) => name).sort());
  const patterns: Readonly<Record<string, RegExp>> = {
    id: /^[0-9a-f-]{36}$/,
    client_id: /^[0-9a-f-]{36}$/,
    agent_id: /^[0-9a-f-]{36}$/,
    excel_blob_url: /^https:\/\//,
    time_range_from: /^\d\d:\d\d:\d\dZ$/,
    time_range_to: /^\d\d:\d\d:\d\dZ$/,
    start_date: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
    end_date: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
    days_of_week: /^monday,tuesday,friday$/,
    contact_source_type: /^csv$/,
    campaign_status: /^active$/,
    webhook_url: /^https:\/\/example\.com\/hook$/,
  };
  for (const [name, pattern] of Object.entries(patterns)) expect(created[name]).toMatch(pattern);
  for (const name of ['max_retries', 'retry_after_mins', 'call_concurrency'])
    expectType(created[name], 'integer');
  for (const name of ['created_at', 'updated_at']) expectType(created[name], 'timestamp');
  expectType(created.notification_emails, 'array of string');
  expectType(created.perform_dnd_check, 'boolean');
  expect((await bench.campaign()).webhook_url).toBeNull();
  const file = await bench.api.ask(created.excel_blob_url.replace('https://calls.example.test', ''), {
    as: null,
  });
  expect([file.status, file.text.split('\n')[0]]).toEqual([200, 'name,phone_number,city']);
};

const isStoredUnderOtherNames: Check = async (bench) => {
  const created = await bench.campaign({
    concurrency: '3',
    retry_delay_mins: '7',
    start_time: '03:00',
    end_time: '14:00',
  });
  expect(created).toMatchObject({
    call_concurrency: 3,
    retry_after_mins: 7,
    time_range_from: '03:00:00Z',
    time_range_to: '14:00:00Z',
    start_date: '2026-11-02T00:00:00',
    end_date: '2026-11-06T23:59:59',
  });
};

const isInTheEnvelope: Check = async (bench, item) => {
  const refusals = [
    await bench.create({ start_time: '02:00' }),
    await bench.create({ concurrency: 'x' }),
    await bench.create({ agent_id: randomUUID() }),
    await bench.create({}, { file: 'name\nAsha\n' }),
    await bench.api.ask('/api/campaigns/create', { method: 'POST', as: null }),
  ];
  for (const { status, body, headers } of refusals) {
    expectType(body[cell(item, 'Field')], cell(item, 'Type'));
    expect(body).toMatchObject({
      status_code: status,
      path: '/api/campaigns/create',
      request_id: headers.get('x-request-id'),
    });
  }
  expect(refusals[0]?.body.error).toBe('Bad Request');
};

const code =
  (changes: (condition: string) => Record<string, string>[]): Check =>
  async (bench, item) => {
    const expected = wordsOf(`\`${cell(item, 'code')}\``)[0];
    for (const change of changes(cell(item, 'Condition'))) {
      expect([change, ...refusalOf(await bench.create(change))]).toEqual([change, 400, expected]);
    }
  };

const ERRORS: Readonly<Record<string, Check>> = {
  INVALID_TIME_WINDOW: code((condition): Record<string, string>[] => {
    const { from, to } = timeRangeOf(condition);
    expect([from, to]).toEqual(['02:30', '14:29']);
    return [{ start_time: '02:29' }, { end_time: '14:30' }, { start_time: '00:00', end_time: '23:59' }];
  }),
  CONCURRENCY_EXCEEDED: code(() => [{ concurrency: '11' }]),
  INVALID_DATE_RANGE: code(() => [{ from_date: '2026-11-07', to_date: '2026-11-06' }]),
  NO_DAYS_SELECTED: code(() => [{ days_of_week: '' }, { days_of_week: ',' }, { days_of_week: ' , ' }]),
  INVALID_RETRY_CONFIG: code((): Record<string, string>[] => [
    { max_retries: '0' },
    { max_retries: '11' },
    { retry_delay_mins: '-1' },
    { retry_delay_mins: '1441' },
  ]),
  TOO_MANY_EMAILS: code(() => [{ notification_emails: 'a@b.co,b@b.co,c@b.co,d@b.co,e@b.co,f@b.co' }]),
};
