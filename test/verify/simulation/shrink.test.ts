import { drawSimulation, type SimulationPlan } from '../../../verify/simulation/plan/plan';
import { shrink } from '../../../verify/simulation/shrink';
import { describePlan, storyOf } from '../../../verify/simulation/story';
import { changedBundle } from '../../../verify/simulation/planted';
import { readCommandLine } from '../../../verify/simulation/command-line';

const busy = (): SimulationPlan => {
  for (let seed = 1; ; seed += 1) {
    const plan = drawSimulation(seed);
    if (plan.campaigns.length === 3 && plan.happenings.some(({ kind }) => kind === 'stall')) return plan;
  }
};

describe('a plan that fails', () => {
  test('is shrunk to what the failure needs', async () => {
    const needed = (plan: SimulationPlan): boolean =>
      plan.happenings.some(({ kind }) => kind === 'stall') &&
      plan.campaigns.some(({ endings }) => endings.length > 0);
    const smallest = await shrink(busy(), (plan) => Promise.resolve(needed(plan)));
    expect(smallest.happenings.map(({ kind }) => kind)).toEqual(['stall']);
    expect(smallest.campaigns.map(({ endings }) => endings.length)).toEqual([1]);
    expect(smallest.workers).toBe(1);
  });

  test('is made plain where the failure needs nothing special', async () => {
    const needed = ({ campaigns }: SimulationPlan): boolean =>
      campaigns.some(({ callWebhook, endings }) => callWebhook === '/hanging' && endings.includes(80));
    const special = {
      ...busy(),
      campaigns: busy().campaigns.map((campaign) => ({
        ...campaign,
        callWebhook: '/hanging' as const,
        endings: [93, 80],
      })),
    };
    const { campaigns, pace } = await shrink(special, (plan) => Promise.resolve(needed(plan)));
    expect(campaigns).toMatchObject([
      {
        endings: [80],
        callWebhook: '/hanging',
        webhook: null,
        window: 'open',
        maxRetries: 1,
        concurrency: 1,
      },
    ]);
    expect(pace.slowShare).toBe(0);
  });

  test('stays as it is where nothing can be left out', async () => {
    const plan = busy();
    expect(await shrink(plan, () => Promise.resolve(false))).toEqual(plan);
  });
});

test('a story names calls in the order in which they appear, and what was wrong at the end', () => {
  const plan = { ...busy(), happenings: [], campaigns: [] };
  const call = (digit: string) => `outbound-1793595613-${digit.repeat(32)}`;
  const story = storyOf({
    plan,
    result: {
      seed: plan.seed,
      fingerprint: '',
      virtualMs: 0,
      realMs: 0,
      steps: 0,
      statements: 0,
      dials: 2,
      story: [
        { atMs: 1_500, who: 'carrier', what: `places ${call('b')}` },
        { atMs: 2_500, who: 'carrier', what: `places ${call('a')}` },
      ],
      violations: [{ atMs: null, sentence: `1. ${call('a')} was dialled twice` }],
    },
  });
  const [head = '', , ...lines] = story.split('\n');
  expect(head).toBe(describePlan(plan)[0]);
  expect(lines.map((line) => line.trim().replaceAll(/\s+/g, ' '))).toEqual([
    '1.500 s carrier places call 1',
    '2.500 s carrier places call 2',
    'at the end judge 1. call 2 was dialled twice',
  ]);
});

test('a story ends with what was found, unless something was found at the end', () => {
  const plan = { ...busy(), happenings: [], campaigns: [] };
  const sentence = '9. a workflow failed';
  const story = [
    { atMs: 1_000, who: 'judge', what: sentence },
    { atMs: 2_000, who: 'carrier', what: 'places a call' },
  ];
  const facts = {
    seed: plan.seed,
    fingerprint: '',
    virtualMs: 0,
    realMs: 0,
    steps: 0,
    statements: 0,
    dials: 1,
  };
  const printed = (atMs: number | null): string =>
    storyOf({ plan, result: { ...facts, story, violations: [{ atMs, sentence }] } });
  expect(printed(1_000)).toMatch(/judge {5}9\. a workflow failed$/);
  expect(printed(null)).toContain('places a call');
});

test('a fault that the workflows have outgrown cannot be planted unseen', () => {
  expect(changedBundle('a b', { from: 'b', to: 'c' })).toBe('a c');
  expect(() => changedBundle('a', { from: 'b', to: 'c' })).toThrow('"b" is 0 times in the bundle');
  expect(() => changedBundle('b b', { from: 'b', to: 'c' })).toThrow('"b" is 2 times in the bundle');
});

test('the command takes a number of seeds, a range, or one seed', () => {
  expect(readCommandLine(['--seeds', '3'])?.seeds).toEqual([1, 2, 3]);
  expect(readCommandLine(['--seeds', '8-9'])?.seeds).toEqual([8, 9]);
  expect(readCommandLine(['--seed', '7'])?.seeds).toEqual([7]);
  expect(readCommandLine([])?.seeds).toHaveLength(20);
  expect(readCommandLine(['--planted', '--only', 'line'])).toMatchObject({ planted: true, only: 'line' });
  expect(readCommandLine(['--mutants', '--only', 'line'])).toMatchObject({ mutants: true, only: 'line' });
  expect(() => readCommandLine(['--only', 'line'])).toThrow('--only needs --planted or --mutants');
  expect(() => readCommandLine(['--seeds', '1x'])).toThrow('must be a whole number');
  expect(() => readCommandLine(['--seed', '1', '--seeds', '2'])).toThrow('exclude each other');
});
