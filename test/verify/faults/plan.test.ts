import type { Fault } from '../../../verify/faults/plan/faults';
import { AGENTS, APIS, linksOf, WORKERS } from '../../../verify/faults/plan/faults';
import { drawPlan, type Plan } from '../../../verify/faults/plan/plan';
import {
  drawLivekitPlan,
  drawLivekitReplicaPlan,
  drawReplicaPlan,
  drawStallPlan,
} from '../../../verify/faults/plan/variants';

const KINDS: Record<string, (seed: number) => Plan> = {
  usual: (seed) => drawPlan(seed, 'full'),
  replicas: (seed) => drawReplicaPlan(seed, 'full'),
  stalls: (seed) => drawStallPlan(seed, 'full'),
  livekit: drawLivekitPlan,
  'livekit with replicas': drawLivekitReplicaPlan,
};

const plansOf = (kind: string): Plan[] =>
  Array.from({ length: 200 }, (_none, index) => KINDS[kind]!(index + 1));

const faultsOf = <K extends Fault['kind']>(plans: readonly Plan[], kind: K) =>
  plans.flatMap(({ faults }) =>
    faults.filter((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind),
  );

test.each(Object.keys(KINDS))('draws the same plan for the same seed (%s)', (kind) => {
  expect(plansOf(kind)).toEqual(plansOf(kind));
  expect(new Set(plansOf(kind).map((plan) => JSON.stringify({ ...plan, seed: 0 }))).size).toBe(200);
});

test('covers every process, link, clock and command within two hundred seeds', () => {
  const plans = plansOf('usual');
  const links = linksOf({ apis: 1, workers: 2 });
  expect(new Set(faultsOf(plans, 'kill').map(({ process }) => process))).toEqual(
    new Set(['worker', 'worker-2', 'api', 'postgres', 'temporal', 'simulator']),
  );
  expect(new Set(faultsOf(plans, 'cut').map(({ link, how }) => `${link} ${how}`))).toEqual(
    new Set(links.flatMap((link) => [`${link} refuse`, `${link} silence`])),
  );
  expect(new Set(faultsOf(plans, 'lose_answers').map(({ link }) => link))).toEqual(
    new Set(links.filter((link) => link !== 'worker-receiver')),
  );
  expect(faultsOf(plans, 'shuffle_events')).toHaveLength(200);
  expect(new Set(faultsOf(plans, 'shift_clock').map(({ clock }) => clock))).toEqual(
    new Set(['worker', 'api', 'simulator']),
  );
  expect(new Set(plans.flatMap(({ commands }) => commands.map(({ kind }) => kind)))).toEqual(
    new Set(['burst', 'edit', 'pause_and_resume', 'cancel']),
  );
});

test('kills and stalls every replica, and kills every server, within twenty seeds', () => {
  const http = plansOf('replicas').slice(0, 20);
  const livekit = plansOf('livekit with replicas').slice(0, 20);
  const processes = (plans: readonly Plan[], kind: 'kill' | 'stall') =>
    new Set(faultsOf(plans, kind).map(({ process }) => process));
  expect(processes(http, 'kill')).toEqual(
    new Set([...APIS, ...WORKERS, 'postgres', 'temporal', 'simulator']),
  );
  expect(processes(http, 'stall')).toEqual(new Set([...APIS, ...WORKERS]));
  expect(processes(livekit, 'kill')).toEqual(
    new Set([...APIS, ...WORKERS, ...AGENTS, 'simulator', 'livekit']),
  );
  expect(processes(livekit, 'stall')).toEqual(new Set([...APIS, ...WORKERS, ...AGENTS]));
});

test('restarts all replicas one after another, once in every plan with replicas', () => {
  for (const kind of ['replicas', 'livekit with replicas']) {
    for (const plan of plansOf(kind)) expect(faultsOf([plan], 'rolling_restart')).toHaveLength(1);
  }
});

test('kills each process of a LiveKit call, and dials each number with phone network behaviour', () => {
  for (const plan of plansOf('livekit')) {
    const killed = faultsOf([plan], 'kill').map(({ process }) => process);
    expect(killed.sort()).toEqual(['agent', 'api', 'livekit', 'simulator', 'worker']);
    const endings = new Set(plan.campaigns.flatMap((campaign) => campaign.endings));
    for (const ending of [60, 61, 62, 63, 64, 65]) expect(endings).toContain(ending);
  }
});

test('stalls each process, starves one and locks an organization in every plan with stalls', () => {
  for (const plan of plansOf('stalls')) {
    const stalled = faultsOf([plan], 'stall').map(({ process }) => process);
    expect(stalled).toEqual(expect.arrayContaining(['api', 'postgres', 'temporal', 'worker']));
    expect(faultsOf([plan], 'starve')).toHaveLength(1);
    expect(faultsOf([plan], 'lock_organization')).toHaveLength(1);
  }
});
