import {
  minuteOf,
  offsetOf,
  utcToZone,
  windowOf,
  zoneToUtc,
  localWindowOf,
} from '../../../console/src/format/window';

const WINTER = new Date('2026-12-01T12:00:00Z');
const SUMMER = new Date('2026-07-01T12:00:00Z');

describe("a calling window in a user's time zone", () => {
  test('handles half-hour offsets and daylight saving time', () => {
    expect(offsetOf('Asia/Kolkata', WINTER)).toBe(330);
    expect(offsetOf('Europe/Berlin', WINTER)).toBe(60);
    expect(offsetOf('Europe/Berlin', SUMMER)).toBe(120);
    expect(offsetOf('America/New_York', WINTER)).toBe(-300);
  });

  test('converts a time from UTC to any time zone and back', () => {
    for (const zone of ['Asia/Kolkata', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'UTC']) {
      for (const time of ['02:30', '04:00', '14:29']) {
        const local = utcToZone(time, zone, SUMMER);
        expect(zoneToUtc(local?.time ?? '', zone, SUMMER)?.time).toBe(time);
      }
    }
  });

  test('marks times on the next or previous day', () => {
    expect(utcToZone('14:00', 'Pacific/Auckland', SUMMER)).toEqual({ time: '02:00', dayShift: 1 });
    expect(zoneToUtc('20:00', 'America/New_York', WINTER)).toEqual({ time: '01:00', dayShift: 1 });
    expect(zoneToUtc('04:00', 'Asia/Kolkata', WINTER)).toEqual({ time: '22:30', dayShift: -1 });
  });

  test("shows a window in UTC and in the user's time zone, or once if both are the same", () => {
    expect(windowOf('04:00:00Z', '10:30:00Z', 'Asia/Kolkata', WINTER)).toBe(
      '04:00–10:30 UTC, 09:30–16:00 Asia/Kolkata',
    );
    expect(windowOf('04:00:00Z', '10:30:00Z', 'UTC', WINTER)).toBe('04:00–10:30 UTC');
    expect(localWindowOf('09:00:00Z', '18:00:00Z', 'America/Denver')).toBe('09:00–18:00 America/Denver');
    expect(localWindowOf('09:00:00Z', '24:00:00Z', 'contact')).toBe(
      '09:00–24:00 in each contact’s time zone',
    );
  });

  test.each(['24:00', '4:00', '04:60', '', 'noon'])('rejects %j as a time of day', (time) => {
    expect(minuteOf(time)).toBeNull();
  });
});
