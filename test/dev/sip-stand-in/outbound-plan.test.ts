import { planOutbound } from '../../../dev/sip-stand-in/outbound-plan';

const TIMINGS = { ringMs: 300, talkMs: 500, ringCapMs: 3_000 };

function planned(ending: number, ringTimeoutMs: number) {
  const request = { to: `+9161000001${ending}`, ringTimeoutMs, maxCallMs: 600_000 };
  const { steps, unanswered } = planOutbound(request, 1, TIMINGS);
  const { endReason, error } = unanswered();
  return { steps: steps.map(({ type, after_ms: ms }) => [type, ms]), endReason, said: error.message };
}

test("ends a call after 32 s without ringing if the trunk doesn't respond", () => {
  expect(planned(61, 45_000)).toEqual({
    steps: [
      ['dialing', 0],
      ['ended', 32_000],
    ],
    endReason: 'carrier_failure',
    said: 'transaction failed to complete (0 intermediate responses)',
  });
});

test.each([61, 62])('gives up at the end of the ring time if %i never rings', (ending) => {
  expect(planned(ending, 20_000)).toEqual({
    steps: [
      ['dialing', 0],
      ['ended', 20_000],
    ],
    endReason: 'carrier_failure',
    said: 'sip request timed out',
  });
});

test.each([63, 64])('lets %i ring until the bridge cancels, whatever the ring cap', (ending) => {
  expect(planned(ending, 20_000).steps).toEqual([
    ['dialing', 0],
    ['ringing', 100],
    ['ended', 20_000],
  ]);
});

test("follows the simulator's table for all numbers without phone network behaviour", () => {
  const kinds = (ending: number) =>
    planned(ending, 20_000).steps.flatMap(([type]) => (type === 'segment' ? [] : [type]));
  expect(kinds(60)).toEqual(['dialing', 'ringing', 'answered', 'ended']);
  expect(kinds(85)).toEqual(['dialing', 'ended']);
});
