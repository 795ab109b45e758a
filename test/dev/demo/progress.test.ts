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

test('a line for logs names every figure and what is waited for', () => {
  expect(plainLine(PROGRESS)).toBe(
    ' 23 s  30 of 60 contacts, waiting for 8 live calls and a callback due in 24 s: dialled 52, live 8, done 27, retried 9, failed 3, lines busy 9/10, webhooks delivered 39',
  );
});

test('the terminal shows the same figures under a bar of the contacts that are over', () => {
  expect(view(80).map((line) => line.trimEnd())).toEqual([
    `  ${'█'.repeat(25)}${'░'.repeat(25)} 30 of 60 contacts  23 s`,
    '  waiting for 8 live calls and a callback due in 24 s',
    '  dialled 52   live 8    done 27   retried 9    failed 3',
    '  lines busy █████████░ 9 of 10     webhooks delivered 39',
  ]);
});

test('nothing is waited for once every contact is over, and the view keeps its height', () => {
  const ended = { ...PROGRESS, done: 48, failed: 12 };
  expect(plainLine(ended)).toContain('60 of 60 contacts: dialled');
  expect(view(80, ended)).toHaveLength(view(80).length);
  expect(view(80, ended)[1]).toBe('');
});

test.each([40, 50, 64, 80, 200])(
  'no line is longer than %i columns, or redrawing would smear it',
  (columns) => {
    for (const line of view(columns)) expect(line.length).toBeLessThan(columns);
  },
);

test('the bar is empty at the start, full at the end, and never overflows', () => {
  const bar = (done: number, failed: number) => view(80, { ...PROGRESS, done, failed })[0] ?? '';
  expect(bar(0, 0)).not.toContain('█');
  expect(bar(48, 12)).not.toContain('░');
  expect(bar(80, 12)).toHaveLength(bar(48, 12).length);
});

test('colours take no place', () => {
  const coloured = terminalView(PROGRESS, styleFor({ isTTY: true }, {}), 80);
  expect(coloured.map((line) => line.replace(/\x1b\[\d+m/g, ''))).toEqual(view(80));
});

test.each([
  ['a pipe', {}, {}],
  ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }],
])('there are no colours for %s', (_what, out, environment) => {
  expect(styleFor(out, environment).bold('x')).toBe('x');
});
