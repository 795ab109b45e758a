import { diallingRules } from '../../../domain/rules/dialling';
import { zoneOutlook } from '../../../domain/rules/outlook';
import { shippedProfile, type RuleProfile } from '../../../domain/rules/profile';

/** A Monday, 07:00 in Denver. */
const NOW = Date.parse('2026-11-02T14:00:00.000Z');
const DENVER = 'America/Denver';

const ruled = (hours: RuleProfile['hours'], more: Partial<RuleProfile> = {}) =>
  diallingRules(null, [{ ...shippedProfile('none'), hours, ...more }]);

const iso = (ms: number | null) => ms && new Date(ms).toISOString();
function outlook(rules: ReturnType<typeof ruled>, key = DENVER, now = NOW) {
  const { opensAt, closesAt, isShort } = zoneOutlook(rules, key, now);
  return [iso(opensAt), iso(closesAt), isShort];
}

describe('zoneOutlook()', () => {
  test('returns the next window of the zone', () => {
    expect(outlook(ruled({ monday: [['08:00', '20:00']] }))).toEqual([
      '2026-11-02T15:00:00.000Z',
      '2026-11-03T03:00:00.000Z',
      false,
    ]);
  });

  test('begins now if the window is open', () => {
    expect(outlook(ruled({ monday: [['06:00', '20:00']] }))).toEqual([
      '2026-11-02T14:00:00.000Z',
      '2026-11-03T03:00:00.000Z',
      false,
    ]);
  });

  test.each<[string, RuleProfile['hours'], boolean]>([
    ['59 minutes on each day', { monday: [['08:00', '08:59']], tuesday: [['08:00', '08:59']] }, true],
    [
      '60 minutes in two parts',
      {
        monday: [
          ['08:00', '08:30'],
          ['12:00', '12:30'],
        ],
      },
      false,
    ],
    ['a long day after a short one', { monday: [['08:00', '08:10']], friday: [['08:00', '20:00']] }, false],
  ])('counts the callable minutes of %s', (_what, hours, isShort) => {
    expect(outlook(ruled(hours))[2]).toBe(isShort);
  });

  test('counts the minutes after the start of an open window too', () => {
    expect(outlook(ruled({ monday: [['06:30', '07:30']] }))).toEqual([
      '2026-11-02T14:00:00.000Z',
      '2026-11-02T14:30:00.000Z',
      false,
    ]);
  });

  test('returns no window for contacts that may never be called', () => {
    expect(outlook(ruled({}))).toEqual([null, null, true]);
    expect(outlook(ruled({ monday: [['08:00', '20:00']] }), '-')).toEqual([null, null, true]);
  });
});
