import { PassThrough, Readable } from 'node:stream';
import { confirm } from '../../api/admin/session';
import { processTerminal } from '../../api/admin/terminal';

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
