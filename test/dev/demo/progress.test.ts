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
};
const view = (columns: number, progress = PROGRESS) => terminalView(progress, PLAIN_STYLE, columns);

test('a line for logs names every figure', () => {
  expect(plainLine(PROGRESS)).toBe(
    ' 23 s  30 of 60 contacts  dialled 52, live 8, done 27, retried 9, failed 3, lines busy 9/10, webhooks delivered 39',
  );
});

test('the terminal shows the same figures under a bar of the contacts that are over', () => {
  expect(view(80).map((line) => line.trimEnd())).toEqual([
    `  ${'█'.repeat(25)}${'░'.repeat(25)} 30 of 60 contacts  23 s`,
    '',
    '  dialled 52   live 8    done 27   retried 9    failed 3',
    '  lines busy █████████░ 9 of 10     webhooks delivered 39',
  ]);
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
