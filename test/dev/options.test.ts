import { join } from 'node:path';
import { checkWritable, readOptions, statusOf, UsageFault } from '../../dev/options';
import { temporaryFolder } from './temporary-folder';

const OPTIONS = {
  exit: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const read = (...args: string[]) => readOptions('npm run demo', args, OPTIONS);

test('reads known options', () => {
  expect({ ...read('--exit', '--json', 'x', '-h') }).toEqual({ exit: true, json: 'x', help: true });
});

test.each([
  [['--exti'], 'Unknown option "--exti"'],
  [['-x'], 'Unknown option "-x"'],
  [['exit'], 'Unexpected argument "exit"'],
  [['--exit=yes'], '"--exit" takes no value'],
  [['--json'], '"--json <value>" has no value'],
  [['--json', '--exit'], '"--json" has no value'],
])('rejects %j in one line that names it and the help', (args, sentence) => {
  const message = `${sentence}: see "npm run demo -- --help"`;
  expect(() => read(...args)).toThrow(expect.objectContaining({ name: 'UsageFault', message }));
});

test('exits with status 2 only for usage errors', () => {
  expect(statusOf(new UsageFault('typed wrong'))).toBe(2);
  expect(statusOf(new Error('something else'))).toBe(1);
});

test('rejects a file before the run if its folder does not exist', async () => {
  const folder = temporaryFolder();
  await expect(checkWritable('--json', join(folder, 'figures.json'))).resolves.toBeUndefined();
  await expect(checkWritable('--json', join(folder, 'absent', 'figures.json'))).rejects.toThrow(
    `--json ${folder}/absent/figures.json cannot be written: ${folder}/absent: the folder does not exist`,
  );
});
