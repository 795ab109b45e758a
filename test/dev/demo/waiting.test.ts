import { waitingOf, waitingText, type NextDial, type Waiting } from '../../../dev/demo/waiting';

const NOW_MS = Date.parse('2026-11-20T10:00:00.000Z');
const next = (action: string, inS: number | null = null): NextDial => ({
  action,
  at: inS === null ? null : new Date(NOW_MS + inS * 1000).toISOString(),
});
const OVER = next('none');

const text = (contacts: NextDial[], live = 0, linesBusy = live, rests: string | null = null): string =>
  waitingText(waitingOf(contacts, { live, linesBusy }, { rests, nowMs: NOW_MS }));

test('names the last callback and the time until it is due', () => {
  expect(text([OVER, OVER, next('callback', 23.2)])).toBe('waiting for a callback due in 24 s');
});

test('names a redial that is not due yet and the time until then', () => {
  expect(text([OVER, next('redial', 12)])).toBe('waiting for a redial due in 12 s');
});

test('names the number of redials and the first one', () => {
  expect(text([next('redial', 40), next('redial', 7), next('callback', 30)])).toBe(
    'waiting for 2 redials, the first due in 7 s and a callback due in 30 s',
  );
});

test('lists live calls first and omits contacts that only wait for the lines of these calls', () => {
  expect(text([OVER, OVER, next('dial'), next('callback', 30)], 2)).toBe(
    'waiting for 2 live calls and a callback due in 30 s',
  );
  expect(text([OVER], 1)).toBe('waiting for 1 live call');
});

test('counts contacts that are due if no call is live', () => {
  expect(text([next('dial'), next('redial', -3), next('callback', -1)])).toBe('waiting for 3 dials');
});

test('mentions an unreported end of a call only if nothing else is pending', () => {
  expect(text([OVER, OVER], 0, 1)).toBe('waiting for the end of a call that the carrier has not reported');
  expect(text([OVER, next('callback', 9)], 0, 1)).toBe('waiting for a callback due in 9 s');
});

test('gives the reason why a campaign rests, whatever is due', () => {
  expect(text([next('dial')], 0, 0, 'the campaign is paused: carrier failures')).toBe(
    'the campaign is paused: carrier failures',
  );
});

test('waits for the end of the campaign after the last contact', () => {
  expect(text([OVER, OVER])).toBe('waiting for the end of the campaign');
});

test('treats a contact that waits for a person or a line as ready', () => {
  expect(waitingOf([next('callback')], { live: 0, linesBusy: 0 }, { rests: null, nowMs: NOW_MS })).toEqual({
    rests: null,
    live: 0,
    unreported: 0,
    ready: 1,
    redialsInMs: [],
    callbacksInMs: [],
  } satisfies Waiting);
});
