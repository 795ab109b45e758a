import { PLANTED_FAULTS } from '../../../verify/faults/planted';
import { trialOf, trialPlan } from '../../../verify/faults/trial';

test('draws a plan with the conditions that the planted fault needs', () => {
  const [, windowed] = trialPlan(1, ['window']).campaigns;
  expect(windowed?.window).toBe('opens');
  const [, delayed] = trialPlan(1, ['retryDelay']).campaigns;
  expect(delayed).toMatchObject({ retryDelayMins: 1, maxRetries: 2 });
  expect(trialPlan(1, ['refusedWebhook']).campaigns.map(({ callWebhook }) => callWebhook)).toEqual([
    '/flaky',
    '/flaky',
  ]);
  for (const { endings } of trialPlan(1, ['lostAnswer']).campaigns) expect(endings).toContain(93);
  expect(trialPlan(1, []).campaigns[1]).toMatchObject({ window: 'open', retryDelayMins: 0 });
});

test('counts a planted fault as found only if its own invariant is violated', () => {
  const fault = { ...PLANTED_FAULTS[0]!, invariant: 2 as const };
  const verdict = (violations: string[]) => ({
    invariants: [
      { number: 1 as const, name: 'one', violations: ['also'] },
      { number: 2 as const, name: 'two', violations },
    ],
    figures: {
      dials: 1,
      duplicates: 0,
      contacts_lost: 0,
      cap_overruns: 0,
      start_to_dial_s: [],
      kill_to_dial_s: [],
    },
  });
  const result = { seed: 1, faults: 1, durationS: 1, evidenceFolder: '/x' };
  expect(trialOf(fault, { ...result, verdict: verdict(['overrun']) })).toMatchObject({
    found: true,
    violation: 'overrun',
    violated: [1, 2],
  });
  expect(trialOf(fault, { ...result, verdict: verdict([]) })).toMatchObject({ found: false, violated: [1] });
});
