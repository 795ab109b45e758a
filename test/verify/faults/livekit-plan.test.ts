import { scriptFor } from '../../../dev/simulator/numbers';
import { drawLivekitPlan } from '../../../verify/faults/plan/livekit-plan';

const PLANS = Array.from({ length: 50 }, (_, index) => drawLivekitPlan(index + 1));

test('draws the same LiveKit plan for the same seed', () => {
  expect(drawLivekitPlan(7)).toEqual(drawLivekitPlan(7));
  expect(drawLivekitPlan(7)).not.toEqual(drawLivekitPlan(8));
});

test('kills each process that a call needs once, and lets it recover before the next kill', () => {
  for (const { faults } of PLANS) {
    const kills = faults.flatMap((fault) => (fault.kind === 'kill' ? [fault] : []));
    expect(kills.map(({ process }) => process).sort()).toEqual([
      'agent',
      'api',
      'livekit',
      'simulator',
      'worker',
    ]);
    for (const [index, { atMs, downMs }] of kills.entries()) {
      expect(atMs + downMs + 5_000).toBeLessThan(kills[index + 1]?.atMs ?? Infinity);
    }
  }
});

test('dials each number with phone network behaviour, and simulates callers to organizations with a number', () => {
  for (const { campaigns, callers, organizations } of PLANS) {
    const farEnds = campaigns.flatMap(({ endings }) =>
      endings.filter((ending) => ending >= 60 && ending <= 69),
    );
    expect(farEnds.toSorted()).toEqual([60, 61, 62, 63, 64, 65]);
    expect(callers.filter(({ ending }) => ending === 68)).toHaveLength(2);
    expect(callers.map(({ organization }) => organizations[organization]?.isCalled)).not.toContain(false);
  }
});

test('dials no number whose end is reported only in the response to the worker', () => {
  for (const ending of PLANS.flatMap(({ campaigns }) => campaigns.flatMap(({ endings }) => endings))) {
    const { post, outcome } = scriptFor(String(ending).padStart(2, '0'));
    expect([post, outcome.endReason]).not.toContain('invalid');
    expect(outcome.endReason).not.toBe('invalid_number');
  }
});
