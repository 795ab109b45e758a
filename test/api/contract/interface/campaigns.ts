/** Checks existing campaigns: listing, changing, resuming and their statuses. */
import { randomUUID } from 'node:crypto';
import { CAMPAIGN_STATUSES, OPEN_STATUSES } from '../../../../domain/campaign-status';
import { expectRefused, expectStatus, refusalOf, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import { expectType } from '../types';
import { cell, inlineFields, wordsOf } from '../values';
import { holdsPaging } from './calls';
import { casesOf } from './campaign-fields';

const PUT = 'Endpoints > PUT /api/campaigns/{campaign_id}';
const RESUME = 'Endpoints > POST /api/campaigns/{campaign_id}/resume';

export function campaignChecks(coverage: Coverage): void {
  coverage.under('Resources and their fields > Campaign', {
    [LIST_ITEM]: async (bench, { text }) => {
      const { id } = await bench.campaign();
      const { campaigns } = await bench.get('/api/campaigns/');
      const item = campaigns.find((campaign: any) => campaign.id === id);
      expect(Object.keys(item)).toEqual(namesIn(text));
      expect([item.total_leads, item.completed_calls]).toEqual([2, 0]);
      for (const name of ['total_leads', 'completed_calls', 'call_concurrency'])
        expectType(item[name], 'integer');
    },
    [ANSWERS]: hasTheFields,
    [RESUME_ANSWER]: async (bench, { text }) => {
      const { id } = await bench.campaign();
      await bench.update(id, { campaign_name: 'B' });
      const { body } = await bench.api.ask(`/api/campaigns/${id}/resume`, { method: 'POST' });
      expect(Object.keys(body)).toEqual(namesIn(text));
    },
  });
  coverage.under('Endpoints > GET /api/campaigns/', LIST);
  coverage.under(PUT, UPDATE);
  coverage.under(RESUME, RESUMING);
  coverage.under('States and transitions', STATES);
  coverage.under('Errors', {
    'Campaign update with no fields: body {detail: {code: NO_FIELDS_TO_UPDATE, message: <string>}}.': async (
      bench,
    ) => {
      const { id } = await bench.campaign();
      const { body } = await bench.update(id, {});
      expect(body).toEqual({ detail: { code: 'NO_FIELDS_TO_UPDATE', message: expect.any(String) } });
    },
  });
}

const LIST_ITEM =
  'List item fields: id, campaign_name, campaign_status, agent_id, call_concurrency, total_leads (integer), completed_calls (integer), created_at, updated_at.';
const ANSWERS =
  'Update response fields: id, campaign_name, campaign_status, call_concurrency, days_of_week, time_range_from, time_range_to, updated_at.';
const RESUME_ANSWER = 'Resume response fields: id, campaign_name, campaign_status, updated_at.';

const namesIn = (text: string): string[] => inlineFields(text).map(({ name }) => name);

const hasTheFields: Check = async (bench, { text }) => {
  const { id } = await bench.campaign();
  const { body } = await bench.update(id, { campaign_name: 'B' });
  expect(Object.keys(body).sort()).toEqual(namesIn(text).sort());
};

const LIST: Readonly<Record<string, Check>> = {
  'Query: page (integer, default 1), page_size (integer, default 20, max 100), status (string: active, paused, completed, cancelled, scheduled).':
    async (bench, { text }) => {
      await holdsPaging(bench, '/api/campaigns/', text);
      const statuses = wordsOf(inlineFields(text).find(({ name }) => name === 'status')?.rule ?? '');
      expect(statuses.length).toBe(5);
      for (const status of statuses) {
        const { id } = await bench.campaign();
        await bench.api.db('campaigns').where({ id }).update({ status });
        const { campaigns } = await bench.get(`/api/campaigns/?status=${status}&page_size=100`);
        expect(new Set(campaigns.map((campaign: any) => campaign.campaign_status))).toEqual(
          new Set([status]),
        );
        expect(campaigns.some((campaign: any) => campaign.id === id)).toBe(true);
      }
      expectRefused(await bench.api.ask('/api/campaigns/?status=ended'), 'query.status');
    },
  'Response 200: {campaigns: [list item], pagination}.': async (bench) => {
    expect(Object.keys(await bench.get('/api/campaigns/'))).toEqual(['campaigns', 'pagination']);
  },
};

const FIELDS =
  'Fields: campaign_name (string), concurrency (integer, <= organization maximum), max_retries (1-10), retry_delay_mins (0-1440), start_time and end_time (UTC HH:MM, 02:30-14:29), days_of_week (comma-separated weekdays), from_date and to_date (YYYY-MM-DD), notification_emails (comma-separated, max 5), campaign_webhook_url, per_call_webhook_url.';

const NUMBERS = ['concurrency', 'max_retries', 'retry_delay_mins'];

/** The value as JSON. A malformed number remains text. */
const jsonOf = (field: string, given: string): unknown =>
  NUMBERS.includes(field) && /^-?[\d.]+$/.test(given) ? Number(given) : given;

/** Updates one campaign with all values of a field. Rejected values must leave it unchanged. */
async function takesItsValues(bench: Bench, field: string, rule: string): Promise<void> {
  const { id } = await bench.campaign();
  const { accepted, refused, storedAs } = casesOf(field, field === 'campaign_name' ? '' : rule);
  const before = await bench.storedCampaign(id);
  for (const [given, status, code] of refused) {
    const asForm = await bench.api.ask(`/api/campaigns/${id}`, {
      method: 'PUT',
      body: formOf({ [field]: given }),
    });
    for (const answer of [await bench.update(id, { [field]: jsonOf(field, given) }), asForm]) {
      if (status === 422) expectRefused(answer, `body.${field}`);
      else expect([given, ...refusalOf(answer)]).toEqual([given, status, code]);
    }
  }
  expectRefused(await bench.update(id, { [field]: { not: 'a value' } }), `body.${field}`);
  expect(await bench.storedCampaign(id)).toEqual(before);
  for (const [given, stored] of accepted) {
    expectStatus(await bench.update(id, { [field]: jsonOf(field, given) }), 200);
    const { per_call_webhook_url } = await bench.storedCampaign(id);
    const campaign = { ...(await bench.get(`/api/campaigns/${id}`)), per_call_webhook_url };
    expect(campaign[storedAs]).toEqual(stored);
  }
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const UPDATE: Readonly<Record<string, Check>> = {
  'Path campaign_id: UUID.': async (bench) => {
    expectRefused(await bench.update('7', { campaign_name: 'B' }), 'path.campaign_id');
    expect(refusalOf(await bench.update(randomUUID(), { campaign_name: 'B' }))).toEqual([
      404,
      'CAMPAIGN_NOT_FOUND',
    ]);
  },
  'All fields optional; only supplied fields change.': async (bench) => {
    const { id } = await bench.campaign();
    const before = await bench.get(`/api/campaigns/${id}`);
    expectStatus(await bench.update(id, { max_retries: 5 }), 200);
    const volatile = {
      excel_blob_url: expect.any(String),
      updated_at: expect.any(String),
      status_reason: expect.anything(),
    };
    const after = await bench.get(`/api/campaigns/${id}`);
    expect({ ...after, ...volatile }).toEqual({
      ...before,
      max_retries: 5,
      campaign_status: 'paused',
      ...volatile,
    });
  },
  [FIELDS]: async (bench, { text }) => {
    const fields = inlineFields(text);
    expect(fields.length).toBe(12);
    for (const { name, rule } of fields) await takesItsValues(bench, name, rule);
  },
  'The same constraints as create apply.': async (bench) => {
    const { id } = await bench.campaign();
    // The constraints also apply to the stored values, not only to those in the request.
    for (const [change, code] of [
      [{ end_time: '03:00' }, 'INVALID_TIME_WINDOW'],
      [{ from_date: '2026-11-30' }, 'INVALID_DATE_RANGE'],
      [{ concurrency: 11 }, 'CONCURRENCY_EXCEEDED'],
    ] as const) {
      expect(refusalOf(await bench.update(id, change))).toEqual([400, code]);
    }
  },
  'The campaign is paused before any change is applied and is not resumed automatically.': async (bench) => {
    const { id } = await bench.campaign();
    const { body } = await bench.update(id, { campaign_name: 'B' });
    expect([body.campaign_status, body.campaign_name]).toEqual(['paused', 'B']);
    expect((await bench.get(`/api/campaigns/${id}`)).campaign_status).toBe('paused');
    expect(bench.api.temporal.signals.filter((signal) => signal.campaignId === id)).toEqual([
      { campaignId: id, signal: 'update' },
    ]);
  },
  'Response 200: update response (see Campaign).': async (bench) => {
    const { id } = await bench.campaign();
    const { status, body } = await bench.update(id, { start_time: '05:00' });
    expect([status, body.id, body.time_range_from]).toEqual([200, id, '05:00:00Z']);
  },
};

const resume = (bench: Bench, id: string) => bench.api.ask(`/api/campaigns/${id}/resume`, { method: 'POST' });

const RESUMING: Readonly<Record<string, Check>> = {
  'No body.': async (bench) => {
    const { id } = await bench.campaign();
    await bench.update(id, { campaign_name: 'B' });
    expectStatus(await resume(bench, id), 200);
  },
  'Moves a paused campaign to active.': async (bench) => {
    const { id } = await bench.campaign();
    await bench.update(id, { campaign_name: 'B' });
    expect((await resume(bench, id)).body.campaign_status).toBe('active');
    expect((await bench.get(`/api/campaigns/${id}`)).campaign_status).toBe('active');
  },
  'Response 200: resume response.': async (bench) => {
    const { id } = await bench.campaign();
    await bench.update(id, { campaign_name: 'B' });
    const { status, body } = await resume(bench, id);
    expect([status, body]).toEqual([
      200,
      { id, campaign_name: 'B', campaign_status: 'active', updated_at: expect.any(String) },
    ]);
  },
};

const STATES: Readonly<Record<string, Check>> = {
  'Campaign statuses: scheduled (created, not started), active (running, dialling), paused, paused_out_of_range (paused because outside the calling window), completed (all contacts finished), cancelled (permanently cancelled).':
    async (bench, { text }) => {
      expect(namesIn(text)).toEqual(CAMPAIGN_STATUSES);
      const { id } = await bench.campaign();
      for (const status of CAMPAIGN_STATUSES) {
        await bench.api.db('campaigns').where({ id }).update({ status });
        expect((await bench.get(`/api/campaigns/${id}`)).campaign_status).toBe(status);
      }
    },
  '(none)': async (bench, item) => {
    expect((await bench.campaign()).campaign_status).toBe(wordsOf(cell(item, 'Next state'))[0]);
  },
  any: async (bench, item) => {
    for (const status of OPEN_STATUSES) {
      const { id } = await bench.campaign();
      await bench.api.db('campaigns').where({ id }).update({ status });
      const { body } = await bench.update(id, { campaign_name: 'B' });
      expect([body.campaign_status, body.campaign_name]).toEqual([wordsOf(cell(item, 'Next state'))[0], 'B']);
    }
  },
  paused: async (bench, item) => {
    for (const status of CAMPAIGN_STATUSES) {
      const { id } = await bench.campaign();
      await bench.api.db('campaigns').where({ id }).update({ status });
      const answer = await resume(bench, id);
      if (status === 'paused') expect(answer.body.campaign_status).toBe(wordsOf(cell(item, 'Next state'))[0]);
      else expect(refusalOf(answer)).toEqual([409, 'CAMPAIGN_NOT_PAUSED']);
    }
  },
};
