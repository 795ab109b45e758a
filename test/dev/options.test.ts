import { join } from 'node:path';
import { checkWritable, readOptions, statusOf, UsageFault } from '../../dev/options';
import { temporaryFolder } from './temporary-folder';

const OPTIONS = {
  exit: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const read = (...args: string[]) => readOptions('npm run demo', args, OPTIONS);

test('known options are read', () => {
  expect({ ...read('--exit', '--json', 'x', '-h') }).toEqual({ exit: true, json: 'x', help: true });
});

test.each([
  [['--exti'], 'There is no option "--exti"'],
  [['-x'], 'There is no option "-x"'],
  [['exit'], '"exit" is no option'],
  [['--exit=yes'], '"--exit" takes no value'],
  [['--json'], '"--json <value>" has no value'],
  [['--json', '--exit'], '"--json" has no value'],
])('%j is refused in one line that names it and the help', (args, sentence) => {
  const message = `${sentence}: see "npm run demo -- --help"`;
  expect(() => read(...args)).toThrow(expect.objectContaining({ name: 'UsageFault', message }));
});

test('only what was typed wrong ends with status 2', () => {
  expect(statusOf(new UsageFault('typed wrong'))).toBe(2);
  expect(statusOf(new Error('something else'))).toBe(1);
});

test('a file is refused before the run when its folder does not exist', async () => {
  const folder = temporaryFolder();
  await expect(checkWritable('--json', join(folder, 'figures.json'))).resolves.toBeUndefined();
  await expect(checkWritable('--json', join(folder, 'absent', 'figures.json'))).rejects.toThrow(
    `--json ${folder}/absent/figures.json cannot be written: ${folder}/absent: there is no such folder`,
  );
});
