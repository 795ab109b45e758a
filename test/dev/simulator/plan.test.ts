import { scriptFor, spreadMs } from '../../../dev/simulator/numbers';
import { planCall, type EndedStep, type PlanInput, type Step } from '../../../dev/simulator/plan';
import { AGENT, numberEnding } from './fixtures';

const plan = (number: string, differences: Partial<PlanInput> = {}): Step[] =>
  planCall({
    number,
    outcome: scriptFor(number).outcome,
    ringTimeoutMs: 30_000,
    maxTalkMs: 600_000,
    agent: AGENT,
    variables: { name: 'Ravi' },
    timings: { ringMs: 2000, talkMs: 4000, ringCapMs: null },
    ...differences,
  });

const at = (steps: Step[], type: Step['type']): number =>
  steps.find((step) => step.type === type)?.after_ms ?? NaN;

const end = (steps: Step[]): EndedStep => {
  const last = steps.at(-1);
  if (last?.type !== 'ended') throw new Error('the plan has no end');
  return last;
};

const talk = (steps: Step[]): number => end(steps).after_ms - at(steps, 'answered');

test('varies ring and talk times by up to 30 %, repeatably for each number', () => {
  const numbers = Array.from({ length: 70 }, (_, index) => numberEnding(String(index).padStart(2, '0')));
  const rings = numbers.map((number) => at(plan(number), 'answered'));
  const talks = numbers.map((number) => talk(plan(number)));
  expect(Math.min(...rings)).toBeGreaterThanOrEqual(1400);
  expect(Math.max(...rings)).toBeLessThanOrEqual(2600);
  expect(Math.min(...talks)).toBeGreaterThanOrEqual(2800);
  expect(Math.max(...talks)).toBeLessThanOrEqual(5200);
  expect(new Set(rings).size).toBeGreaterThan(55);
  expect(Math.max(...rings) - Math.min(...rings)).toBeGreaterThan(900);
  expect(numbers.map((number) => at(plan(number), 'answered'))).toEqual(rings);
});

test('plans steps in chronological order with the end last', () => {
  for (const digits of ['00', '70', '73', '74', '80', '85', '88', '90', '91', '92', '97']) {
    const times = plan(numberEnding(digits)).map((step) => step.after_ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }
});

test('plans ringing until the timeout or an earlier ring cap if the callee never answers', () => {
  const uncapped = plan(numberEnding('80'), { ringTimeoutMs: 5000 });
  expect(end(uncapped)).toMatchObject({ end_reason: 'no_answer', sip_status: 480, answered_by: null });
  expect(end(uncapped).after_ms - at(uncapped, 'ringing')).toBe(5000);
  const capped = plan(numberEnding('80'), { timings: { ringMs: 2000, talkMs: 4000, ringCapMs: 900 } });
  expect(end(capped).after_ms - at(capped, 'ringing')).toBe(900);
});

test("plans a slow callee's answer for the moment when the ring cap is reached", () => {
  const steps = plan(numberEnding('00'), { timings: { ringMs: 20_000, talkMs: 4000, ringCapMs: 500 } });
  expect(at(steps, 'answered') - at(steps, 'ringing')).toBe(500);
  expect(end(steps).end_reason).toBe('agent');
});

test('plans no answer if the callee would answer after the ring timeout', () => {
  const steps = plan(numberEnding('00'), { ringTimeoutMs: 1000 });
  expect(end(steps).end_reason).toBe('no_answer');
  expect(end(steps).after_ms - at(steps, 'ringing')).toBe(1000);
});

test('plans the answer to a call to 97 shortly before the timeout or the ring cap', () => {
  const steps = plan(numberEnding('97'));
  expect(at(steps, 'answered') - at(steps, 'ringing')).toBe(27_000);
  const capped = plan(numberEnding('97'), { timings: { ringMs: 2000, talkMs: 4000, ringCapMs: 3000 } });
  expect(at(capped, 'answered') - at(capped, 'ringing')).toBe(2700);
});

test('ends a conversation at its maximum duration, which a call to 73 always reaches', () => {
  const short = plan(numberEnding('00'), { maxTalkMs: 1000 });
  expect([end(short).end_reason, talk(short)]).toEqual(['max_talk', 1000]);
  const endless = plan(numberEnding('73'), { maxTalkMs: 60_000 });
  expect([end(endless).end_reason, talk(endless)]).toEqual(['max_talk', 60_000]);
});

test('plans a connection loss in the middle of a call to 91, after some segments have been spoken', () => {
  const steps = plan(numberEnding('91'));
  expect(end(steps)).toMatchObject({ end_reason: 'dropped', answered_by: 'human' });
  expect(talk(steps)).toBe(Math.floor(spreadMs(4000, `talk:${numberEnding('91')}`) / 2));
  const said = steps.filter((step) => step.type === 'segment');
  expect(said.length).toBeGreaterThan(0);
  expect(said.every((step) => step.type === 'segment' && step.end_ms <= talk(steps))).toBe(true);
});

test.each([
  ['74', 'invalid_number', 404, false],
  ['85', 'busy', 486, false],
  ['88', 'rejected', 603, true],
  ['92', 'carrier_failure', 503, false],
])(
  'plans an unanswered call to %s with the end reason %s and status %i',
  (digits, reason, sipStatus, rings) => {
    const steps = plan(numberEnding(digits));
    expect(end(steps)).toMatchObject({ end_reason: reason, sip_status: sipStatus, answered_by: null });
    expect(steps.some((step) => step.type === 'ringing')).toBe(rings);
    expect(end(steps).after_ms).toBeLessThanOrEqual(2600);
  },
);
