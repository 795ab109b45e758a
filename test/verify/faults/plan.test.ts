import { linksOf } from '../../../verify/faults/plan/faults';
import { drawPlan, type Plan } from '../../../verify/faults/plan/plan';
import { windowFrom } from '../../../verify/faults/plan/window';

/** Links of one API and two workers. */
const LINKS = linksOf({ apis: 1, workers: 2 });
const SEEDS = Array.from({ length: 200 }, (_none, index) => index + 1);
const plans = SEEDS.map((seed) => drawPlan(seed, 'full'));
const faultsOf = (kind: Plan['faults'][number]['kind']) =>
  plans.flatMap(({ faults }) => faults.filter((fault) => fault.kind === kind)) as any[];

describe('the plan of a run', () => {
  test('draws the same plan for the same seed and different plans for different seeds', () => {
    expect(drawPlan(7, 'full')).toEqual(drawPlan(7, 'full'));
    expect(new Set(plans.map((plan) => JSON.stringify({ ...plan, seed: 0 }))).size).toBe(SEEDS.length);
  });

  test('covers every process, every link in both directions, every clock and every kind of command', () => {
    expect(new Set(faultsOf('kill').map(({ process }) => process))).toEqual(
      new Set(['worker', 'worker-2', 'api', 'postgres', 'temporal', 'simulator']),
    );
    const cuts = faultsOf('cut').map(({ link, how }) => `${link} ${how}`);
    expect(new Set(cuts)).toEqual(new Set(LINKS.flatMap((link) => [`${link} refuse`, `${link} silence`])));
    const lost = faultsOf('lose_answers').map(({ link }) => link);
    expect(new Set(lost)).toEqual(new Set(LINKS.filter((link) => link !== 'worker-receiver')));
    const pages = faultsOf('lose_answers').filter(({ how }) => how === 'page');
    expect(new Set(pages.map(({ link }) => link))).toEqual(new Set(['worker-carrier', 'worker-2-carrier']));
    expect(faultsOf('shuffle_events')).toHaveLength(SEEDS.length);
    expect(new Set(faultsOf('shift_clock').map(({ clock }) => clock))).toEqual(
      new Set(['worker', 'api', 'simulator']),
    );
    expect(new Set(plans.flatMap(({ commands }) => commands.map(({ kind }) => kind)))).toEqual(
      new Set(['burst', 'edit', 'pause_and_resume', 'cancel']),
    );
    const edited = plans.flatMap(({ commands }) =>
      commands.flatMap((command) => (command.kind === 'edit' ? Object.keys(command.fields) : [])),
    );
    expect(new Set(edited)).toEqual(new Set(['concurrency', 'max_retries']));
  });

  test('pauses a campaign with waiting calls for longer than a call lasts, in every plan', () => {
    for (const { commands, campaigns } of [...plans, ...SEEDS.map((seed) => drawPlan(seed, 'short'))]) {
      const long = commands.find(
        (command) => command.kind === 'pause_and_resume' && command.pausedForMs > 3_000,
      );
      expect(long).toMatchObject({ campaign: 0, atMs: expect.any(Number) });
      expect(long?.atMs).toBeLessThan(2_000);
      expect(campaigns[0]?.window).toBe('open');
      expect(campaigns[0]?.endings.length).toBeGreaterThan(2 + (campaigns[0]?.concurrency ?? 0));
    }
  });

  test('dials every kind of number, with every delay and with windows that open and close', () => {
    const campaigns = plans.flatMap((plan) => plan.campaigns);
    const endings = new Set(campaigns.flatMap((campaign) => campaign.endings));
    for (const ending of [0, 70, 73, 74, 75, 80, 85, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]) {
      expect(endings).toContain(ending);
    }
    expect(new Set(campaigns.map(({ retryDelayMins }) => retryDelayMins))).toEqual(new Set([0, 1]));
    expect(new Set(campaigns.map(({ window }) => window))).toEqual(new Set(['open', 'opens', 'closes']));
  });

  test('never requests more lines than the organization has', () => {
    for (const { campaigns, organizations } of plans) {
      for (const { organization, concurrency } of campaigns) {
        expect(concurrency).toBeLessThanOrEqual(organizations[organization]?.maxConcurrency ?? 0);
      }
    }
  });

  test("shifts clocks by at most ten minutes, and never sets the carrier's clock back", () => {
    for (const { clocks, faults } of plans) {
      expect(Math.max(...Object.values(clocks).map(Math.abs))).toBeLessThanOrEqual(600_000);
      let carrier = clocks.simulator;
      for (const fault of faults) {
        if (fault.kind !== 'shift_clock') continue;
        expect(Math.abs(fault.offsetMs)).toBeLessThanOrEqual(600_000);
        if (fault.clock !== 'simulator') continue;
        expect(fault.offsetMs).toBeGreaterThan(carrier);
        carrier = fault.offsetMs;
      }
    }
  });

  test('includes faults of the second worker only if there is one', () => {
    for (const { workers, faults } of plans) {
      const named = JSON.stringify(faults).includes('worker-2');
      if (workers === 1) expect(named).toBe(false);
    }
  });

  test('lets a killed process recover before the next fault', () => {
    for (const { faults } of plans) {
      for (const [index, fault] of faults.entries()) {
        const next = faults[index + 1];
        if (fault.kind !== 'kill' || next === undefined) continue;
        expect(next.atMs - fault.atMs - fault.downMs).toBeGreaterThanOrEqual(3_000);
      }
    }
  });

  test('draws fewer campaigns and faults for a short run', () => {
    const short = drawPlan(1, 'short');
    expect(short.campaigns).toHaveLength(2);
    expect(short.faults.length).toBeLessThan(drawPlan(1, 'full').faults.length);
  });
});

describe('windowFrom()', () => {
  test.each([
    ['open', '2026-03-02T10:00:20Z', { to_date: '2026-03-04', start_time: '00:00', end_time: '24:00' }],
    ['closes', '2026-03-02T10:00:20Z', { to_date: '2026-03-02', start_time: '00:00', end_time: '10:01' }],
    ['closes', '2026-03-02T10:00:50Z', { to_date: '2026-03-02', start_time: '00:00', end_time: '10:02' }],
    ['opens', '2026-03-02T10:00:20Z', { to_date: '2026-03-04', start_time: '10:01', end_time: '24:00' }],
    ['closes', '2026-03-02T23:59:20Z', { to_date: '2026-03-04', start_time: '00:00', end_time: '24:00' }],
    ['opens', '2026-03-02T23:59:20Z', { to_date: '2026-03-04', start_time: '00:00', end_time: '24:00' }],
  ] as const)('returns a window that %s for a campaign created at %s', (window, now, expected) => {
    expect(windowFrom(window, Date.parse(now))).toEqual({ from_date: '2026-03-02', ...expected });
  });
});
