/**
 * Checks docs/decisions.md against the running service: the service must return each code and status in the document, and the document must
 * name each one that the service returns.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTACT_STATES } from '../../../domain/call-outcome';
import { FINAL_STATUSES, PROGRESS_STATUSES } from '../../../domain/call-outcome';
import { openTestApi } from '../support/test-api';
import { Bench, refusalOf } from './bench';
import { REFUSED } from './decisions/refusals';
import { SUCCEEDED } from './decisions/successes';
import { wordsOf } from './values';

const ROOT = join(__dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/decisions.md'), 'utf8').replace(/\s*\n\s*/g, ' ');
const contract = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');

const CODE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const codesIn = (text: string): string[] => [...new Set(text.match(CODE) ?? [])].sort();

/** Responses that the app never sends, because Node rejects the request or it is for a WebSocket. Other tests cover them. */
const LEFT_OUT: Readonly<Record<string, { status: number }>> = {
  MALFORMED_REQUEST: { status: 400 },
  REQUEST_TIMEOUT: { status: 408 },
  HEADERS_TOO_LARGE: { status: 431 },
  FOREIGN_ORIGIN: { status: 403 },
};

/** Environment variables. They have the same form as error codes. */
const SETTINGS = [
  ...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm),
].map(([, name = '']) => name);

/** Returns the statuses that the document gives for a code. */
function statusesGiven(code: string): number[] {
  const given = page.matchAll(new RegExp(`\\b([2-5]\\d\\d) \`${code}\``, 'g'));
  return [...new Set([...given].map(([, status]) => Number(status)))];
}

let bench: Bench;
let api: Awaited<ReturnType<typeof openTestApi>>;

beforeAll(async () => {
  bench = await Bench.open();
  // Unlike the bench's API, this one has no media server, and a test may drop its tables.
  api = await openTestApi();
});
afterAll(() => Promise.all([bench.close(), api.close()]));

const codes = codesIn(wordsOf(page).join(' ')).filter((code) => !SETTINGS.includes(code));

describe('docs/decisions.md', () => {
  test('names only codes that a check provokes', () => {
    expect(codes.filter((code) => REFUSED[code] === undefined && LEFT_OUT[code] === undefined)).toEqual([]);
    expect(codes.length).toBeGreaterThan(30);
  });

  test('names every code that a check provokes, unless interface.md names it', () => {
    const named = [...codes, ...codesIn(contract)];
    expect(Object.keys(REFUSED).filter((code) => !named.includes(code))).toEqual([]);
  });

  test('names every code in the source of the API, unless interface.md names it', () => {
    const named = [...codes, ...codesIn(contract)];
    expect(codesInTheService().filter((code) => !named.includes(code))).toEqual([]);
  });

  test('excludes only settings that are in .env.example', () => {
    const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
    for (const name of SETTINGS) expect(example).toContain(name);
  });

  test.each(Object.entries(REFUSED))(
    'documents for %s the status that the service returns',
    async (code, { statuses, ask }) => {
      const answers = [await ask(bench, api)].flat();
      expect(answers.map((answer) => refusalOf(answer)[1] ?? validationCodeOf(answer.body))).toEqual(
        answers.map(() => code),
      );
      expect([...new Set(answers.map(({ status }) => status))]).toEqual(statuses);
      for (const status of statusesGiven(code)) expect(statuses).toContain(status);
      for (const { headers } of answers) expect(headers.get('x-request-id')).toMatch(/^[\w-]{1,64}$/);
    },
  );

  test.each(Object.entries(SUCCEEDED))('confirms that %s', async (_what, { status, ask }) => {
    expect((await ask(bench)).status).toBe(status);
  });

  test('names only statuses that a check provokes', () => {
    const made = [
      ...Object.values(REFUSED).flatMap(({ statuses }) => statuses),
      ...Object.values(SUCCEEDED).map(({ status }) => status),
    ];
    const named = [
      ...page.matchAll(/(?<![\d,.:-])([2-5]\d\d)(?= `|[:.,;)]| [a-z(])(?! (?:s|bytes|per)\b)/g),
    ].map(([, status]) => Number(status));
    const leftOut = Object.values(LEFT_OUT).map(({ status }) => status);
    const statuses = [...new Set(named)].filter(
      (status) => !NO_STATUS.includes(status) && !leftOut.includes(status),
    );
    expect(statuses.filter((status) => !made.includes(status))).toEqual([]);
    expect(statuses.length).toBeGreaterThan(10);
  });

  test('lists exactly the call statuses and contact states that exist', () => {
    const listed = (from: RegExp) => wordsOf(from.exec(page)?.[0] ?? '');
    const [, ...ends] = listed(/Final `call_status` values:.*?Before that/);
    expect(ends.sort()).toEqual([...FINAL_STATUSES].sort());
    expect(listed(/Before that: [^.]*/).sort()).toEqual([...PROGRESS_STATUSES].sort());
    const [, ...states] = listed(/`state`: .*?In stats/);
    expect(states.sort()).toEqual([...CONTACT_STATES].sort());
  });
});

/** The document also contains these numbers, which are durations, row counts, page sizes or a SIP status. */
const NO_STATUS = [255, 300, 625, 407];

const validationCodeOf = (body: any): string | undefined =>
  Array.isArray(body?.detail) ? 'VALIDATION_ERROR' : undefined;

function codesInTheService(): string[] {
  const files = readdirSync(join(ROOT, 'api'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const text = files.map((name) => readFileSync(join(ROOT, 'api', name), 'utf8')).join('\n');
  const literals = [...text.matchAll(/(?:code: |refusal\(\s*)'([A-Z_]+)'/g)].map(([, code = '']) => code);
  return [...new Set(literals)].sort();
}
