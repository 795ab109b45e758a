import { PassThrough, Readable } from 'node:stream';
import { confirm } from '../../api/admin/session';
import { processTerminal } from '../../api/admin/terminal';
import { cellText, jsonLine, table } from '../../api/admin/table';
import * as values from '../../api/admin/option-values';

function terminal({ isTTY = true, noColour = false } = {}) {
  const streams = ['stdin', 'stdout', 'stderr'].map((name) => [
    name,
    Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY }),
  ]);
  const { stdin, stdout, stderr }: any = Object.fromEntries(streams);
  return { stdin, stdout, stderr, terminal: processTerminal({ stdin, stdout, stderr, noColour }) };
}

test('prints results on standard output, questions and notes on standard error', async () => {
  const { stdin, stdout, stderr, terminal: shown } = terminal();
  shown.print('result');
  shown.note('note');
  const answer = shown.ask('Go on? ');
  stdin.write('y\n');
  expect(await answer).toBe('y');
  expect(stdout.read()).toBe('result\n');
  expect(stderr.read()).toMatch(/^note\n[^]*Go on\? /);
});

test('treats the end of input as a no', async () => {
  const { stdin, terminal: shown } = terminal();
  const confirmed = confirm(shown, 'It is gone then.', false);
  stdin.end();
  await expect(confirmed).rejects.toThrow('Nothing was changed');
});

test('treats Ctrl-C as a no', async () => {
  const { stdin, terminal: shown } = terminal();
  const confirmed = confirm(shown, 'It is gone then.', false);
  stdin.write('\u0003');
  await expect(confirmed).rejects.toThrow('Nothing was changed');
});

test('reads standard input until it ends or exceeds the size limit', async () => {
  const inputOf = (chunks: string[]): any => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const { stdout, stderr } = terminal();
  const reading = (chunks: string[], maxBytes: number) =>
    processTerminal({ stdin: inputOf(chunks), stdout, stderr, noColour: true }).readInput(maxBytes);
  expect(String(await reading(['98765', '43210\n'], 100))).toBe('9876543210\n');
  expect(String(await reading(['98765', '43210', '9'], 6))).toBe('9876543210');
});

test('answers two questions in a row', async () => {
  const { stdin, terminal: shown } = terminal();
  const first = shown.ask('1? ');
  stdin.write('one\n');
  expect(await first).toBe('one');
  const second = shown.ask('2? ');
  stdin.write('two\n');
  expect(await second).toBe('two');
});

test.each([
  [{ isTTY: true, noColour: false }, true],
  [{ isTTY: true, noColour: true }, false],
  [{ isTTY: false, noColour: false }, false],
])('sets isStyled for %j to %s', (options, isStyled) => {
  expect(terminal(options).terminal.isStyled).toBe(isStyled);
});

test('requires --yes instead of asking when there is no terminal', async () => {
  const { stderr, terminal: shown } = terminal({ isTTY: false });
  await expect(confirm(shown, 'It is gone then.', false)).rejects.toThrow('Pass --yes to confirm');
  await confirm(shown, 'It is gone then.', true);
  expect(stderr.read()).toBeNull();
});

test('ignores EPIPE on standard output, but no other error', () => {
  const { stdout } = terminal();
  expect(() =>
    stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  ).not.toThrow();
  expect(() => stdout.emit('error', new Error('disk full'))).toThrow('disk full');
});

describe('a table', () => {
  const plain = { empty: 'nothing', isStyled: false };

  test('prints a message for a table without rows', () => {
    expect(table(['id'], [], plain)).toBe('nothing');
  });

  test('prints instants in UTC and replaces control characters', () => {
    expect(cellText(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(cellText('a\u001b[2Jb\nc\u202ed')).toBe('a\ufffd[2Jb\ufffdc\ufffdd');
  });

  test('prints JSON on one line without control characters and without changing its meaning', () => {
    const value = { name: 'a\u009b\u007f\u2028\n\u001bb' };
    expect(jsonLine(value)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/);
    expect(JSON.parse(jsonLine(value))).toEqual(value);
  });
});

describe('the value of an option', () => {
  const NOW = Date.parse('2026-11-02T05:00:00Z');
  const HOUR_MS = 3_600_000;

  test.each([
    ['30s', HOUR_MS / 120],
    ['90m', 1.5 * HOUR_MS],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
    ['2w', 14 * 24 * HOUR_MS],
    ['0', 0],
  ])('reads %s as a duration', (text, ms) => {
    expect(values.duration(text)).toBe(ms);
  });

  test.each(['', '7', 'd', '-1d', '1.5h', '7 d', '1D', '4000d', '9999999h', 'week'])(
    'rejects %j as a duration',
    (text) => {
      expect(() => values.duration(text)).toThrow('must be a duration such as 90m, 24h, 7d or 2w');
    },
  );

  test.each([
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-12-31T18:00Z', '2026-12-31T18:00:00.000Z'],
    ['2026-12-31T18:00:00.5Z', '2026-12-31T18:00:00.500Z'],
    ['2026-12-31T18:00:00+05:30', '2026-12-31T12:30:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('reads %s as an instant', (text, iso) => {
    expect(new Date(values.instant(text)).toISOString()).toBe(iso);
  });

  test.each([
    '2026-02-29',
    '2026-02-30T00:00Z',
    '2026-13-01',
    '2026-12-31T18:00',
    '2026-12-31T25:00Z',
    '31.12.2026',
    '',
  ])("rejects %j as an instant, because it doesn't exist or lacks a known time zone", (text) => {
    expect(() => values.instant(text)).toThrow('must be a date or timestamp in UTC');
  });

  test('reads a moment as a duration from now, in either direction, or as an instant', () => {
    expect(values.momentAhead(values.moment('24h'), NOW)).toBe(NOW + 24 * HOUR_MS);
    expect(values.momentBehind(values.moment('24h'), NOW)).toBe(NOW - 24 * HOUR_MS);
    for (const at of [values.momentAhead, values.momentBehind]) {
      expect(at(values.moment('2026-11-02'), NOW)).toBe(Date.parse('2026-11-02T00:00:00Z'));
    }
  });

  test.each(['0', '7', '1000', ' 5', '5.0', '1e2', '0x5', '-5', ''])(
    'rejects %j as a whole number from 8 to 999',
    (text) => {
      expect(() => values.wholeNumber(8, 999)(text)).toThrow('must be an integer between 8 and 999');
    },
  );

  test.each(['', '  ', 'x'.repeat(201), 'a\0b'])('rejects %j as a label', (text) => {
    expect(() => values.label(text)).toThrow('must');
  });
});
