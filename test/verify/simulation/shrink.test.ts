import { drawSimulation, type SimulationPlan } from '../../../verify/simulation/plan/plan';
import { shrink } from '../../../verify/simulation/shrink';
import { changedBundle } from '../../../verify/simulation/planted';

const busy = (): SimulationPlan => {
  for (let seed = 1; ; seed += 1) {
    const plan = drawSimulation(seed);
    if (plan.campaigns.length === 3 && plan.happenings.some(({ kind }) => kind === 'stall')) return plan;
  }
};

describe('shrink()', () => {
  test('reduces a plan to the parts that the failure needs', async () => {
    const needed = (plan: SimulationPlan): boolean =>
      plan.happenings.some(({ kind }) => kind === 'stall') &&
      plan.campaigns.some(({ endings }) => endings.length > 0);
    const smallest = await shrink(busy(), (plan) => Promise.resolve(needed(plan)));
    expect(smallest.happenings.map(({ kind }) => kind)).toEqual(['stall']);
    expect(smallest.campaigns.map(({ endings }) => endings.length)).toEqual([1]);
    expect(smallest.workers).toBe(1);
  });

  test("replaces special values that the failure doesn't need", async () => {
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

  test('returns the plan unchanged if every part is needed', async () => {
    const plan = busy();
    expect(await shrink(plan, () => Promise.resolve(false))).toEqual(plan);
  });
});

test('throws unless the text to change occurs exactly once in the bundle', () => {
  expect(changedBundle('a b', { from: 'b', to: 'c' })).toBe('a c');
  expect(() => changedBundle('a', { from: 'b', to: 'c' })).toThrow('"b" occurs 0 times in the bundle');
  expect(() => changedBundle('b b', { from: 'b', to: 'c' })).toThrow('"b" occurs 2 times in the bundle');
});
