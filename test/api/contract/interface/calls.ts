/** Checks call history and call details. */
import { newCall } from '../../support/rows';
import { expectRefused, expectStatus, finishedCall, placesOf, refusalOf, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import { expectType } from '../types';
import { cell, defaultOf, inlineFields, maxOf, wordsOf } from '../values';
import { FINAL_STATUSES } from '../../../../domain/call-outcome';

const CALL = 'Resources and their fields > Call (call history item)';
const DETAILS = 'Resources and their fields > Call details';

export function callChecks(coverage: Coverage): void {
  coverage.coversRows(CALL, async (bench, item) => {
    const call = await historyItem(bench, bench.callId);
    for (const name of cell(item, 'Field').split(', ')) {
      expectType(call[name], TYPES[name] ?? cell(item, 'Type'));
    }
    await CALL_SPECIALS[cell(item, 'Field')]?.(bench, item);
  });
  coverage.coversRows(DETAILS, async (bench, item) => {
    const details = await bench.get(`/api/call_details/${bench.callId}`);
    expectType(details[cell(item, 'Field')], cell(item, 'Type'));
    if (cell(item, 'Field') === 'transcription')
      expect(details.transcription).toBe('AGENT: Namaste\nUSER: Hello');
  });
  coverage.under(DETAILS, { [UNPROCESSED]: isFixedUntilProcessed });
  coverage.under('States and transitions', STATES);
  coverage.under('Endpoints > GET /api/call-history', HISTORY);
  coverage.under('Endpoints > GET /api/call_details/{call_id}', DETAILS_ENDPOINT);
  coverage.covers(VALIDATION_ERROR, async ({ api }) => {
    for (const [path, loc] of [
      ['/api/call-history?page=x', ['query', 'page']],
      ['/api/call_details/', ['path', 'call_id']],
    ] as const) {
      const { status, body } = await api.ask(path);
      expect([status, body]).toEqual([
        422,
        { detail: [{ loc, msg: expect.any(String), type: expect.any(String) }] },
      ]);
    }
  });
}

const UNPROCESSED =
  'When the call has not been post-processed, transcription, entity, conversation_eval and summary are each the fixed text stating the transcript is unavailable for further evaluation, and call_eval_tag is null (status 200).';
const VALIDATION_ERROR =
  'Errors > Validation error (status 422) on call history and call details: {detail: [{loc: [<location>, <name>], msg: <string>, type: <string>}]}; for example a non-integer page, or a missing call_id.';

/** Fields whose notes state a narrower type than the type column. */
const TYPES: Readonly<Record<string, string>> = {
  Start_time: 'timestamp',
  End_time: 'timestamp',
  call_dialing_at: 'timestamp',
  call_ringing_at: 'timestamp',
  user_picked_up_at: 'timestamp',
};

async function historyItem(bench: Bench, callId: string): Promise<any> {
  return (await wholeHistory(bench)).find((call) => call.call_id === callId);
}

async function wholeHistory(bench: Bench): Promise<any[]> {
  const calls: any[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await bench.get(`/api/call-history?page_size=200&page=${page}`);
    calls.push(...data);
    if (!pagination.has_next) return calls;
  }
}

/** Checks that the service returns each value that the row names in backticks. */
const named =
  (field: string): Check =>
  async (bench, item) => {
    const values = wordsOf(cell(item, 'Notes'));
    for (const value of values) {
      const id = await newCall(bench.api, { agent_id: bench.agentId, [field]: value });
      expect((await historyItem(bench, id))[field]).toBe(value);
    }
    expect(values.length).toBeGreaterThan(1);
  };

const CALL_SPECIALS: Readonly<Record<string, Check>> = {
  call_id: async (bench) => {
    const ids = await Promise.all([bench.call(), bench.call()]);
    const [one, other] = ids.map(({ body }) => body.output.call_id);
    expect(one).not.toBe(other);
    expect([one, other]).toEqual([expect.stringMatching(/^outbound-/), expect.stringMatching(/^outbound-/)]);
    expect((await historyItem(bench, one)).call_id).toBe(one);
  },
  call_type: named('call_type'),
  direction: named('direction'),
  call_status: (_bench, item) => {
    for (const status of wordsOf(cell(item, 'Notes'))) expect(FINAL_STATUSES).toContain(status);
  },
  post_processing_status: async (bench, item) => {
    for (const status of wordsOf(cell(item, 'Type') + cell(item, 'Notes'))) {
      const id = await finishedCall(bench.api, bench.agentId, { post_processing_status: status });
      expect((await historyItem(bench, id)).post_processing_status).toBe(status);
    }
  },
  call_summary: async (bench) => {
    const id = await newCall(bench.api, { agent_id: bench.agentId });
    expect(await historyItem(bench, id)).toMatchObject({ call_summary: null, call_eval_tag: null });
  },
  recording_api: async (bench) => {
    const answer = await bench.api.ask(
      (await historyItem(bench, bench.callId)).recording_api.replace('https://calls.example.test', ''),
      { as: null },
    );
    expect([answer.status, answer.text]).toEqual([200, 'RIFF of words']);
  },
  call_transcription: async (bench) => {
    const { call_transcription: address } = await historyItem(bench, bench.callId);
    const answer = await bench.api.ask(address.replace('https://calls.example.test', ''), { as: null });
    expect([answer.status, answer.body.transcript]).toEqual([200, 'AGENT: Namaste\nUSER: Hello']);
  },
  call_metadata: async (bench, item) => {
    const { call_metadata } = await historyItem(bench, bench.callId);
    const names = (/includes (.+)$/.exec(cell(item, 'Notes'))?.[1] ?? '').split(', ');
    expect(names.length).toBeGreaterThan(1);
    expect(Object.keys(call_metadata)).toEqual(['city', ...names]);
  },
  'from_number, to_number': async (bench) => {
    const call = await historyItem(bench, bench.callId);
    expect([call.from_number, call.to_number]).toEqual(['+918012345678', '+919876543210']);
  },
};

const isFixedUntilProcessed: Check = async (bench) => {
  for (const status of ['not_processed', 'processing']) {
    const id = await finishedCall(bench.api, bench.agentId, { post_processing_status: status });
    const text = 'Transcript not available for further evaluation';
    expect(await bench.get(`/api/call_details/${id}`)).toMatchObject({
      transcription: text,
      entity: text,
      conversation_eval: text,
      summary: text,
      call_eval_tag: null,
    });
  }
};

const STATES: Readonly<Record<string, Check>> = {
  'Post-processing statuses of a call: completed, not_processed, processing.': async (bench, { text }) => {
    const document = await bench.document();
    const { enum: values } = document.components.schemas.Call.properties.post_processing_status;
    expect(values.sort()).toEqual(wordsOf(text).sort());
  },
  'Call statuses: free text such as User disconnected, completed, error.': async (bench, { text }) => {
    for (const status of [...wordsOf(text), 'any other text']) {
      const id = await newCall(bench.api, { agent_id: bench.agentId, call_status: status });
      expect((await historyItem(bench, id)).call_status).toBe(status);
    }
  },
};

const HISTORY: Readonly<Record<string, Check>> = {
  'Query: page (integer, default 1, 1-indexed), page_size (integer, default 50, max 200).': async (
    bench,
    { text },
  ) => {
    await holdsPaging(bench, '/api/call-history', text);
  },
  "Shows all calls of the caller's client.": async (bench) => {
    const { organization, stranger } = bench.api;
    const ids: string[] = await bench.api
      .db('calls')
      .where({ organization_id: organization.id })
      .pluck('call_id');
    expect((await wholeHistory(bench)).map((call) => call.call_id).sort()).toEqual(ids.sort());
    expect((await bench.get('/api/call-history')).pagination.total_count).toBe(ids.length);
    expect((await bench.get('/api/call-history', stranger)).data).toEqual([]);
  },
  'Response 200: {data: [call], pagination}.': async (bench) => {
    expect(Object.keys(await bench.get('/api/call-history'))).toEqual(['data', 'pagination']);
  },
};

const DETAILS_ENDPOINT: Readonly<Record<string, Check>> = {
  'Path call_id: string, required.': async ({ api }) => {
    for (const path of ['/api/call_details', '/api/call_details/']) {
      expect(placesOf(await api.ask(path))).toEqual(['path.call_id']);
    }
  },
  'The user and client are resolved from the API key.': async ({ api, callId }) => {
    const answer = await api.ask(`/api/call_details/${callId}`, { as: api.stranger });
    expect(refusalOf(answer)).toEqual([404, 'CALL_NOT_FOUND']);
  },
  'Response 200: call details.': async (bench) => {
    // Two more fields follow these; see docs/decisions.md.
    expect(Object.keys(await bench.get(`/api/call_details/${bench.callId}`)).slice(0, -2)).toEqual([
      'transcription',
      'entity',
      'conversation_eval',
      'summary',
      'call_eval_tag',
    ]);
  },
};

/** Checks `page` and `page_size` of a list against the rules in its sentence. */
export async function holdsPaging(bench: Bench, path: string, text: string): Promise<void> {
  const rules = Object.fromEntries(inlineFields(text).map(({ name, rule }) => [name, rule]));
  const { page = '', page_size: size = '' } = rules;
  const { pagination } = await bench.get(path);
  expect([pagination.page, pagination.page_size]).toEqual([defaultOf(page), defaultOf(size)]);
  for (const accepted of [`page_size=${maxOf(size)}`, 'page_size=1', 'page=1', 'page=99']) {
    expectStatus(await bench.api.ask(`${path}?${accepted}`), 200);
  }
  for (const wrong of ['0', '-1', '1.5', 'x', '', '1e2']) {
    expectRefused(await bench.api.ask(`${path}?page=${wrong}`), 'query.page');
    expectRefused(await bench.api.ask(`${path}?page_size=${wrong}`), 'query.page_size');
  }
  expectRefused(await bench.api.ask(`${path}?page_size=${maxOf(size) + 1}`), 'query.page_size');
}
