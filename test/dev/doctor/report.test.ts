import type { Check } from '../../../dev/doctor/check';
import { isReady, jsonOf, textOf } from '../../../dev/doctor/report';

const check = (differences: Partial<Check>): Check => ({
  group: 'machine',
  title: 'Node',
  state: 'ok',
  found: '20.20.2',
  onlyFor: null,
  remedy: null,
  ...differences,
});
const MEMORY = check({
  title: 'memory',
  state: 'missing',
  found: '0.5 GiB free of 1.0 GiB',
  remedy: 'close programs',
});
const REDIS = check({
  group: 'servers',
  title: 'redis-server',
  state: 'note',
  found: 'not found',
  onlyFor: 'LiveKit',
  remedy: 'apt-get install redis-server',
});
const PLAIN = { columns: 80, isColoured: false };

test('each check is one aligned line with its mark, its remedy beneath, and groups stand apart', () => {
  expect(textOf([check({}), MEMORY, REDIS], PLAIN)).toBe(
    [
      'ok       Node          20.20.2',
      'missing  memory        0.5 GiB free of 1.0 GiB',
      '                       → close programs',
      '',
      'note     redis-server  not found (only for LiveKit)',
      '                       → apt-get install redis-server',
      '',
      '1 thing is missing: see the lines with →, then run "npm run doctor" again',
    ].join('\n'),
  );
});

test('what is only noted does not keep the two commands from working', () => {
  expect(isReady([check({}), REDIS])).toBe(true);
  expect(textOf([check({}), REDIS], PLAIN)).toMatch(
    /^Both can work here: npm ci && npm run demo, npm ci && npm test$/m,
  );
  expect(isReady([check({}), MEMORY])).toBe(false);
});

test('a long line is continued under its own column', () => {
  const found = 'word '.repeat(30).trim();
  const lines = textOf([check({ found })], PLAIN)
    .split('\n')
    .slice(0, -2);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {15}word/);
});

test('colours are added to the marks and take no place', () => {
  const coloured = textOf([check({}), MEMORY, REDIS], { columns: 80, isColoured: true });
  expect(coloured).toContain('\x1b[31mmissing  \x1b[39m');
  expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(textOf([check({}), MEMORY, REDIS], PLAIN));
});

test('JSON holds the same checks, and whether they suffice', () => {
  expect(JSON.parse(jsonOf([check({}), MEMORY]))).toEqual({ ready: false, checks: [check({}), MEMORY] });
});
