/**
 * Fuzzes the service by its OpenAPI document. `FUZZ_SEED` and `FUZZ_CASES` choose the cases, and
 * `FUZZ_REPORT` names a file for the counts. Each failure is printed as a curl command that repeats it.
 */
import { writeFile } from 'node:fs/promises';
import { casesOf, faultsOf, run, type Tally } from './run';
import { SchemaValues } from './schema-values';
import { Wire } from './wire';
import { World } from './world';
import { FakeMedia } from '../support/conversation';
import { answerChecker, type CheckAnswer, type Document } from '../support/openapi-answers';
import { operationsOf, type Operation } from '../support/operations';
import { openTestApi, type TestApi } from '../support/test-api';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_102);
const CONNECTIONS = 16;
const MINUTES_10 = 600_000;

/** Sends `count` requests (`FUZZ_CASES` overrides it) and declares the tests that judge the responses. */
export function fuzz(usualCount: number): void {
  const count = Number(process.env.FUZZ_CASES ?? usualCount);

  let media: FakeMedia;
  let api: TestApi;
  let document: Document;
  let operations: Operation[];
  let world: World;
  let tally: Tally;
  let check: CheckAnswer;

  beforeAll(async () => {
    media = await FakeMedia.open();
    api = await openTestApi({ settings: { livekit: media.settings } });
    document = (await api.ask('/api/openapi.json')).body;
    operations = operationsOf(document);
    world = await World.open(api, api.organization, media);
    const cases = casesOf(operations, new SchemaValues(document), { seed: SEED, cases: count });
    check = answerChecker(document);
    const startedAt = performance.now();
    tally = await run(cases, { url: api.url, world, check, connections: CONNECTIONS });
    const { FUZZ_REPORT: report } = process.env;
    const tookMs = Math.round(performance.now() - startedAt);
    if (report) await writeFile(report, JSON.stringify({ seed: SEED, tookMs, ...tally }, null, 2));
  }, MINUTES_10);
  afterAll(async () => {
    await api.close();
    await media.close();
  });

  test(`finds no 5xx and no undocumented response in ${count} requests with seed ${SEED}`, () => {
    expect(tally.faults.join('\n\n')).toBe('');
    expect(tally.cases).toBe(count);
  });

  test('reaches every operation and succeeds with some of its requests', () => {
    const succeeded = ({ name }: Operation) =>
      Object.entries(tally.byOperation[name] ?? {}).some(([status]) => Number(status) < 300);
    expect(operations.filter((operation) => !succeeded(operation)).map(({ name }) => name)).toEqual([]);
    const successes = Object.entries(tally.byStatus).reduce(
      (sum, [status, n]) => sum + (Number(status) < 300 ? n : 0),
      0,
    );
    expect(successes / tally.cases).toBeGreaterThan(0.25);
  });

  test('returns documented responses for everything that was stored', async () => {
    const wire = new Wire(api.url, { connections: 1 });
    const faults: string[] = [];
    for (const list of ['/api/agents', '/api/campaigns/', '/api/call-history', '/api/webhook-deliveries']) {
      for (let page = 1; ; page += 1) {
        const path = `${list}?page=${page}&page_size=100`;
        const request = {
          method: 'GET',
          path,
          headers: [['X-API-Key', api.organization.key] as [string, string]],
          body: null,
        };
        const answer = await wire.send(request, 10_000);
        faults.push(...faultsOf(check, request, answer).map((fault) => `${path}: ${fault}`));
        if (answer.status !== 200) break;
        const { total_pages: pages } = JSON.parse(answer.text).pagination;
        if (page >= pages) break;
      }
    }
    wire.close();
    expect(faults).toEqual([]);
  });

  test('leaves Object.prototype unchanged', () => {
    expect(({} as any).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('logs no personal data and no secrets', () => {
    const { name, firstNumber } = world.estate.marks;
    const secrets = [
      name,
      'Asha',
      firstNumber.slice(0, 8),
      api.organization.key,
      'vap_',
      'whsec_',
      'etc/passwd',
      'polluted',
    ];
    const lines = api.logLines();
    expect(lines.length).toBeGreaterThanOrEqual(count);
    const leaks = lines.filter((line) =>
      secrets.some((secret) => line.toLowerCase().includes(secret.toLowerCase())),
    );
    expect(leaks).toEqual([]);
  });
}
