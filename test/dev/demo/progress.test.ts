import { plainLine, terminalView, type Progress } from '../../../dev/demo/progress';
import { PLAIN_STYLE, styleFor } from '../../../dev/demo/style';

const PROGRESS: Progress = {
  elapsedMs: 23_400,
  contacts: 60,
  dialled: 52,
  live: 8,
  done: 27,
  retried: 9,
  failed: 3,
  linesBusy: 9,
  lines: 10,
  webhooks: 39,
  waiting: { rests: null, live: 8, unreported: 1, ready: 12, redialsInMs: [], callbacksInMs: [23_600] },
};
const view = (columns: number, progress = PROGRESS) => terminalView(progress, PLAIN_STYLE, columns);

test('prints all figures of the campaign and what it is waiting for in one log line', () => {
  expect(plainLine(PROGRESS)).toBe(
    ' 23 s  30 of 60 contacts, waiting for 8 live calls and a callback due in 24 s: dialled 52, live 8, done 27, retried 9, failed 3, lines busy 9/10, webhooks delivered 39',
  );
});

test('keeps the height of the terminal view and shows no waiting text once every contact is finished', () => {
  const ended = { ...PROGRESS, done: 48, failed: 12 };
  expect(plainLine(ended)).toContain('60 of 60 contacts: dialled');
  expect(view(80, ended)).toHaveLength(view(80).length);
  expect(view(80, ended)[1]).toBe('');
});

test.each([40, 50, 64, 80, 200])(
  'keeps every line shorter than %i columns, so that redrawing works',
  (columns) => {
    for (const line of view(columns)) expect(line.length).toBeLessThan(columns);
  },
);

test.each([
  ['a pipe', {}, {}],
  ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }],
])('prints progress without colours with %s', (_what, out, environment) => {
  expect(styleFor(out, environment).bold('x')).toBe('x');
});
