import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import { type Judges, measureBaseline, openJudges } from '../../../verify/mutants/judges';
import { type Mutant, mutantsOf } from '../../../verify/mutants/mutant';
import { type Result, resultOf } from '../../../verify/mutants/verdict';

const FILE = 'db/functions/start_dial.sql';
const SUITE = 'test/db/start-dial.test.ts';

jest.setTimeout(300_000);

let judges: Judges;
beforeAll(async () => {
  judges = await openJudges(1, new AbortController().signal);
});
afterAll(() => judges.close());

/** Mutates the last check before a dial. */
async function planted(from: string, replacement: string): Promise<Mutant> {
  const source = await readFile(join(repositoryRoot(), FILE), 'utf8');
  const start = source.indexOf(from);
  if (start === -1) throw new Error(`bring this test up to date: ${FILE} has no "${from}"`);
  const edit = { start, end: start + from.length, replacement, change: 'planted' };
  const [mutant] = mutantsOf({ area: 'sql', file: FILE, source }, [edit]);
  return mutant!;
}

async function judge(mutant: Mutant, limitMs = 120_000): Promise<Result> {
  const results: Result[] = [];
  const work = { kind: 'mutant' as const, mutant, suites: [SUITE], limitMs, testLimitMs: 60_000 };
  await judges.each([work], (_work, judged, ms) => void results.push(resultOf(mutant, judged, ms)));
  return results[0]!;
}

test('passes the suites without a mutant', async () => {
  const baseline = await measureBaseline(judges, [SUITE], 1);
  expect(baseline.get(SUITE)?.passed).toBeGreaterThan(10);
});

test('finds a mutant that dials at the end of the window through the test for that limit', async () => {
  expect(await judge(await planted('p_now >= c.dialing_until', 'p_now > c.dialing_until'))).toMatchObject({
    verdict: 'found',
    because: expect.stringContaining('from the millisecond at which dialling must stop'),
  });
});

test('lets an equivalent mutant survive, even after an earlier mutant was found', async () => {
  expect(
    await judge(await planted('k.campaign_id is not null', '(k.campaign_id is not null)')),
  ).toMatchObject({
    verdict: 'survived',
  });
});

test('reports SQL that Postgres rejects as invalid', async () => {
  expect(await judge(await planted('if not found then', 'if not then'))).toMatchObject({
    verdict: 'invalid',
  });
});

test('stops a mutant that never ends when its time limit is reached, and counts it as found', async () => {
  const endless = await planted('if not found then', 'loop perform 1; end loop; if not found then');
  expect(await judge(endless, 20_000)).toMatchObject({ verdict: 'timeout' });
  expect(
    await judge(await planted('k.campaign_id is not null', '(k.campaign_id is not null)')),
  ).toMatchObject({
    verdict: 'survived',
  });
});
