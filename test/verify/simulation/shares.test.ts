import { drawSimulation } from '../../../verify/simulation/plan/draw';
import type { Happening, SimulationPlan } from '../../../verify/simulation/plan/plan';
import { Shares, type Claim } from '../../../verify/simulation/shares';

const START_MS = Date.parse('2026-11-02T05:00:00.000Z');
const ORGANIZATIONS = ['one', 'other'];
const LINE: Claim = {
  key: 'dialled a',
  organization: 'one',
  what: 'call a has a line and is not dialled',
  due: null,
};
const WEBHOOK: Claim = { key: 'delivered e 1', organization: 'one', what: 'event e is due', due: START_MS };

function shares(happenings: Happening[] = [], outages: { fromS: number; untilS: number }[] = []) {
  const plan: SimulationPlan = {
    ...drawSimulation(1),
    campaigns: [],
    happenings,
    pace: { usual: [1, 1], slowShare: 0, slow: [1, 1] },
  };
  const world = { nowMs: START_MS };
  const lines: { event_id: string; attempt: number }[] = [];
  const atMs = (seconds: number): number => START_MS + seconds * 1_000;
  const run = {
    plan,
    world,
    receiver: { lines },
    outages: outages.map(({ fromS, untilS }) => ({ fromMs: atMs(fromS), untilMs: atMs(untilS) })),
  };
  const judged = new Shares(run as unknown as ConstructorParameters<typeof Shares>[0]);
  return {
    at(seconds: number, ...claims: Claim[]): string[] {
      world.nowMs = atMs(seconds);
      judged.observe(claims);
      return judged.late(ORGANIZATIONS);
    },
    arrived: (event: string, attempt: number) => void lines.push({ event_id: event, attempt }),
    answered(status: number | null, sentS: number, untilS: number): string[] {
      world.nowMs = atMs(untilS);
      return judged.unanswered({
        method: 'POST',
        path: '/p',
        sent_at: new Date(atMs(sentS)).toISOString(),
        status,
      });
    },
  };
}

describe('a claim of an organization', () => {
  test('reports a claim that was not granted for seconds without an outage', () => {
    const run = shares();
    expect(run.at(0, LINE)).toEqual([]);
    expect(run.at(5, LINE)).toEqual([]);
    expect(run.at(10, LINE)).toEqual([
      'call a has a line and is not dialled, since 2026-11-02T05:00:00.000Z, although nothing that organization one shares with others was away',
    ]);
  });

  test('measures the wait from the new claim after an earlier claim was granted', () => {
    const run = shares();
    run.at(0, LINE);
    run.at(5);
    run.at(6, LINE);
    expect(run.at(10, LINE)).toEqual([]);
  });

  test('allows a claim to wait during an outage of a shared part, and shortly afterwards', () => {
    const run = shares([], [{ fromS: 1, untilS: 3 }]);
    run.at(0, LINE);
    expect(run.at(78, LINE)).toEqual([]);
    expect(run.at(90, LINE)).toHaveLength(1);
  });

  test("allows a claim to wait for its own receiver, but not for another organization's", () => {
    const slow = (organization: number): Happening[] => [
      { kind: 'receiver', atMs: 0, organization, how: 'hangs', forMs: 5_000 },
    ];
    expect(shares(slow(0)).at(20, WEBHOOK)).toEqual([]);
    expect(shares(slow(1)).at(30, WEBHOOK)).toHaveLength(1);
  });

  test('considers a claim granted when a webhook arrives, even if the receiver rejects it', () => {
    const run = shares();
    run.arrived('e', 1);
    expect(run.at(20, WEBHOOK)).toEqual([]);
    expect(run.at(30, { ...WEBHOOK, key: 'delivered e 2' })).toHaveLength(1);
  });

  test('allows a claim to wait for a slot of its own receiver, which is retried within 20 s', () => {
    expect(shares().at(25, WEBHOOK)).toEqual([]);
    expect(shares().at(27, WEBHOOK)).toHaveLength(1);
  });
});

test('reports an unexplained request that gets no response or 503', () => {
  expect(shares().answered(200, 0, 1)).toEqual([]);
  expect(shares().answered(409, 0, 1)).toEqual([]);
  expect(shares().answered(503, 0, 1)).toHaveLength(1);
  expect(shares().answered(null, 0, 10)).toHaveLength(1);
  expect(shares([], [{ fromS: 2, untilS: 3 }]).answered(503, 0, 4)).toEqual([]);
});
