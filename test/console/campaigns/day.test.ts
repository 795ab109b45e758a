import { openSpan, placeOf, startOfDrawing, ticksFrom } from '../../../console/src/campaigns/day';

const START = startOfDrawing('2026-11-02T05:20:00Z');
const zone = (opens_at: string | null, closes_at: string | null) => ({
  zone: 'Asia/Kolkata',
  contacts: 1,
  opens_at,
  closes_at,
});

describe('the drawing of a day', () => {
  test('starts at the full hour and has a tick every six hours', () => {
    expect(ticksFrom(START)).toEqual(['05:00', '11:00', '17:00', '23:00', '05:00']);
    expect(placeOf('2026-11-02T11:00:00Z', START)).toBe(25);
  });

  test.each([
    ['a window within the day', '2026-11-02T11:00:00Z', '2026-11-02T17:00:00Z', { left: 25, width: 25 }],
    [
      'the part of a window within the day',
      '2026-11-02T23:00:00Z',
      '2026-11-03T11:00:00Z',
      { left: 75, width: 25 },
    ],
    ['nothing for a later window', '2026-11-04T11:00:00Z', '2026-11-04T17:00:00Z', null],
    ['nothing for a zone that is never open', null, null, null],
  ])('draws %s', (_what, opens, closes, span) => {
    expect(openSpan(zone(opens, closes), START)).toEqual(span);
  });
});
