import { AGENTS, APIS, LINKS, linksOf, WORKERS, type Fault } from '../../../verify/faults/plan/faults';
import type { Plan } from '../../../verify/faults/plan/plan';
import { drawLivekitReplicaPlan, drawReplicaPlan } from '../../../verify/faults/plan/replica-plan';

const SEEDS = Array.from({ length: 200 }, (_none, index) => index + 1);
const PLANS = SEEDS.map((seed) => drawReplicaPlan(seed, 'full'));
const OVER_LIVEKIT = SEEDS.map((seed) => drawLivekitReplicaPlan(seed));

const ofKind = <K extends Fault['kind']>({ faults }: Plan, kind: K): Extract<Fault, { kind: K }>[] =>
  faults.filter((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind);
const processesOf = (plans: readonly Plan[], kind: 'kill' | 'stall'): Set<string> =>
  new Set(plans.flatMap((plan) => ofKind(plan, kind).map(({ process }) => process)));

test('draws the same replica plan for the same seed and different plans for different seeds', () => {
  expect(drawReplicaPlan(7, 'full')).toEqual(drawReplicaPlan(7, 'full'));
  expect(drawLivekitReplicaPlan(7)).toEqual(drawLivekitReplicaPlan(7));
  for (const plans of [PLANS, OVER_LIVEKIT]) {
    expect(new Set(plans.map((plan) => JSON.stringify({ ...plan, seed: 0 }))).size).toBe(SEEDS.length);
  }
});

test('plans three APIs and three workers, and two agents with LiveKit', () => {
  for (const plan of PLANS) expect(plan).toMatchObject({ apis: 3, workers: 3, telephony: 'http' });
  for (const plan of OVER_LIVEKIT) {
    expect(plan).toMatchObject({ apis: 3, workers: 3, agents: 2, telephony: 'livekit' });
  }
});

test('plans to kill every replica and server and to stall every replica within twenty seeds', () => {
  const [plans, overLivekit] = [PLANS.slice(0, 20), OVER_LIVEKIT.slice(0, 20)];
  const replicas = [...APIS, ...WORKERS];
  const servers = ['postgres', 'temporal', 'simulator'];
  expect(processesOf(plans, 'kill')).toEqual(new Set([...replicas, ...servers]));
  expect(processesOf(plans, 'stall')).toEqual(new Set(replicas));
  expect(processesOf(overLivekit, 'kill')).toEqual(new Set([...replicas, ...AGENTS, 'simulator', 'livekit']));
  expect(processesOf(overLivekit, 'stall')).toEqual(new Set([...replicas, ...AGENTS]));
});

test('plans to kill and stall one process of each kind, and to cut every link of every replica in some seed', () => {
  for (const plan of PLANS) {
    for (const kind of ['kill', 'stall'] as const) {
      const processes = ofKind(plan, kind).map(({ process }) => process.replace(/-\d$/, ''));
      expect(processes).toEqual(expect.arrayContaining(['api', 'worker']));
    }
  }
  const cut = PLANS.flatMap((plan) => ofKind(plan, 'cut').map(({ link }) => link));
  expect(new Set(cut)).toEqual(new Set(LINKS.filter((link) => link !== 'worker-receiver')));
});

test('plans to restart all processes one after another in mid-run, once and without other faults', () => {
  for (const plan of [...PLANS, ...OVER_LIVEKIT, ...SEEDS.map((seed) => drawReplicaPlan(seed, 'short'))]) {
    const [rolling, ...more] = ofKind(plan, 'rolling_restart');
    expect(more).toEqual([]);
    expect(rolling?.processes).toEqual([
      ...APIS,
      ...WORKERS,
      ...(plan.telephony === 'livekit' ? AGENTS : []),
    ]);
    const index = plan.faults.findIndex(({ kind }) => kind === 'rolling_restart');
    const [before, after] = [plan.faults[index - 1], plan.faults[index + 1]];
    expect(before?.atMs).toBeLessThan(rolling?.atMs ?? 0);
    expect((after?.atMs ?? 0) - (rolling?.atMs ?? 0)).toBeGreaterThan(12_000);
  }
});

test('gives the first campaign enough contacts to last until the final fault', () => {
  for (const { campaigns, faults } of PLANS) {
    const [first] = campaigns;
    const perLine = (first?.endings.length ?? 0) / (first?.concurrency ?? 1);
    expect(perLine).toBeGreaterThanOrEqual(27);
    expect(faults.at(-1)?.atMs).toBeGreaterThan(40_000);
  }
});

test("returns the links between the run's processes", () => {
  expect(linksOf({ apis: 3, workers: 3 })).toEqual(LINKS);
  expect(linksOf({ apis: 1, workers: 1 })).toEqual([
    ...['api-postgres', 'api-temporal', 'worker-postgres', 'worker-temporal', 'worker-carrier'],
    ...['worker-receiver', 'carrier-api'],
  ]);
});
