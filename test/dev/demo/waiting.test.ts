import { waitingOf, waitingText, type NextDial, type Waiting } from '../../../dev/demo/waiting';

const NOW_MS = Date.parse('2026-11-20T10:00:00.000Z');
const next = (action: string, inS: number | null = null): NextDial => ({
  action,
  at: inS === null ? null : new Date(NOW_MS + inS * 1000).toISOString(),
});
const OVER = next('none');

const text = (contacts: NextDial[], live = 0, linesBusy = live, rests: string | null = null): string =>
  waitingText(waitingOf(contacts, { live, linesBusy }, { rests, nowMs: NOW_MS }));

test("describes a callback that isn't due yet, with the time until then", () => {
  expect(text([OVER, OVER, next('callback', 23.2)])).toBe('waiting for a callback due in 24 s');
});

test("describes a redial that isn't due yet, with the time until then", () => {
  expect(text([OVER, next('redial', 12)])).toBe('waiting for a redial due in 12 s');
});

test('describes several redials by their number and the time until the first one', () => {
  expect(text([next('redial', 40), next('redial', 7), next('callback', 30)])).toBe(
    'waiting for 2 redials, the first due in 7 s and a callback due in 30 s',
  );
});

test('describes live calls first and omits contacts that only wait for a line', () => {
  expect(text([OVER, OVER, next('dial'), next('callback', 30)], 2)).toBe(
    'waiting for 2 live calls and a callback due in 30 s',
  );
  expect(text([OVER], 1)).toBe('waiting for 1 live call');
});

test('describes the number of due contacts if no call is live', () => {
  expect(text([next('dial'), next('redial', -3), next('callback', -1)])).toBe('waiting for 3 dials');
});

test('describes a call whose end is unreported only if nothing else is pending', () => {
  expect(text([OVER, OVER], 0, 1)).toBe('waiting for the end of a call that the carrier has not reported');
  expect(text([OVER, next('callback', 9)], 0, 1)).toBe('waiting for a callback due in 9 s');
});

test('describes why a campaign is paused or cancelled, even if contacts are due', () => {
  expect(text([next('dial')], 0, 0, 'the campaign is paused: carrier failures')).toBe(
    'the campaign is paused: carrier failures',
  );
});

test("describes the wait for the campaign's end after the last contact", () => {
  expect(text([OVER, OVER])).toBe('waiting for the end of the campaign');
});

test('treats a contact that waits for an operator or a line as ready to dial', () => {
  expect(waitingOf([next('callback')], { live: 0, linesBusy: 0 }, { rests: null, nowMs: NOW_MS })).toEqual({
    rests: null,
    live: 0,
    unreported: 0,
    ready: 1,
    redialsInMs: [],
    callbacksInMs: [],
  } satisfies Waiting);
});
