import { join } from 'node:path';
import { checkWritable, commandOf, readOptions, statusOf, UsageFault } from '../../dev/options';
import { temporaryFolder } from './temporary-folder';

const read = (...args: string[]) =>
  readOptions(
    commandOf('npm run demo --', 'Dials.').option('--exit', 'exit').option('--json <file>', 'write'),
    args,
  );

test('reads known command-line options', () => {
  expect(read('--exit', '--json', 'x')).toEqual({ exit: true, json: 'x' });
});

test.each(['--help', '-h'])('prints the help for %s and returns null', (help) => {
  const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(read(help)).toBeNull();
  expect(print).toHaveBeenCalledWith(
    expect.stringMatching(/^Usage: npm run demo -- \[options\]\n[^]*--exit/),
  );
  print.mockRestore();
});

test.each([
  [['--exti'], 'Unknown option "--exti"'],
  [['-x'], 'Unknown option "-x"'],
  [['exit'], 'Too many arguments'],
  [['--exit=yes'], 'Unknown option "--exit=yes"'],
  [['--json'], '--json needs a value'],
])('rejects the option or value %j in one line that mentions it and the help', (args, sentence) => {
  const message = `${sentence}: see "npm run demo -- --help"`;
  expect(() => read(...args)).toThrow(expect.objectContaining({ name: 'UsageFault', message }));
});

test('exits with status 2 only for usage errors', () => {
  expect(statusOf(new UsageFault('typed wrong'))).toBe(2);
  expect(statusOf(new Error('something else'))).toBe(1);
});

test('rejects an output file in a missing folder before the run starts', async () => {
  const folder = temporaryFolder();
  await expect(checkWritable('--json', join(folder, 'figures.json'))).resolves.toBeUndefined();
  await expect(checkWritable('--json', join(folder, 'absent', 'figures.json'))).rejects.toThrow(
    `--json ${folder}/absent/figures.json cannot be written: ${folder}/absent: the folder does not exist`,
  );
});
