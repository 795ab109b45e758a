import { CarrierClock } from '../../activities/telephony/carrier-clock';

const NOON = Date.parse('2026-11-02T12:00:00.000Z');
const http = (ms: number): string => new Date(ms).toUTCString();

describe('CarrierClock', () => {
  let elapsed: number;
  let clock: CarrierClock;
  beforeEach(() => {
    elapsed = 5_000;
    clock = new CarrierClock(() => elapsed);
  });

  test('returns null before the first reading', () => {
    expect(clock.now()).toBeNull();
  });

  test.each([null, '', 'soon', 'Mon, 99 Nov 2026 99:00:00 GMT'])('ignores a Date header of %p', (date) => {
    expect(clock.read(date, elapsed)).toBeNull();
    expect(clock.now()).toBeNull();
    clock.read(http(NOON), elapsed);
    expect(clock.read(date, elapsed)).toBeNull();
    expect(clock.now()).toBe(NOON);
  });

  test('advances with the monotonic clock, not with the system clock', () => {
    expect(clock.read(http(NOON), elapsed - 40)).toBe(NOON);
    elapsed += 1_234.5;
    expect(clock.now()).toBe(NOON + 1_234.5);
  });

  test('becomes more precise when a response shows that a second has just begun', () => {
    clock.read(http(NOON), elapsed);
    elapsed += 100;
    clock.read(http(NOON + 1_000), elapsed);
    expect(clock.now()).toBe(NOON + 1_000);
    elapsed += 950;
    // The same second again, so this reading is less precise than the previous one.
    clock.read(http(NOON + 1_000), elapsed);
    expect(clock.now()).toBe(NOON + 1_950);
  });

  test("follows the carrier's clock immediately when it is set forward", () => {
    clock.read(http(NOON), elapsed);
    elapsed += 500;
    clock.read(http(NOON + 600_000), elapsed);
    expect(clock.now()).toBe(NOON + 600_000);
  });

  test("follows the carrier's clock immediately when it is set back", () => {
    clock.read(http(NOON), elapsed);
    elapsed += 500;
    clock.read(http(NOON - 600_000), elapsed);
    expect(clock.now()).toBe(NOON - 600_000);
  });

  test("doesn't mistake a slow response for a clock that was set back", () => {
    const sentAt = elapsed;
    clock.read(http(NOON), elapsed);
    elapsed += 5_000;
    // The request was sent at noon and the answer read five seconds later.
    expect(clock.read(http(NOON), sentAt)).toBe(NOON);
    expect(clock.now()).toBe(NOON + 5_000);
  });

  test("stays at most 2.6 s behind the carrier's clock and never ahead", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (const offset of [0, 481, -90_000_123, 3_600_999]) {
      clock = new CarrierClock(() => elapsed);
      for (let n = 0; n < 200; n++) {
        elapsed += random(3_000);
        const sentAt = elapsed;
        elapsed += random(300);
        const answeredAt = NOON + elapsed + offset;
        elapsed += random(300);
        // A Date header has whole seconds and may be cached for another second.
        clock.read(http(Math.floor((answeredAt - random(1_000)) / 1_000) * 1_000), sentAt);
        const behind = NOON + elapsed + offset - (clock.now() ?? 0);
        expect(behind).toBeGreaterThanOrEqual(0);
        expect(behind).toBeLessThan(2_000 + 600);
      }
    }
  });
});
