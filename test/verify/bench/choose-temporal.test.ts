import { chooseTemporal } from '../../../verify/bench/choose-temporal';
import { silent } from '../../../dev/progress';
import { ToolMissing } from '../../../dev/toolchain/find-tool';
import { temporalServer, type FoundTemporalServer } from '../../../dev/toolchain/temporal-server';

const FOUND: FoundTemporalServer = {
  path: '/bin/temporal-server',
  sqlTool: '/bin/temporal-sql-tool',
  origin: 'PATH',
  version: '1.31.2',
};
const missing = () => Promise.reject(new ToolMissing(temporalServer, ['build: go is not installed']));

function reader() {
  const said: string[] = [];
  return { said, environment: {}, onProgress: silent, say: (line: string) => void said.push(line) };
}

test('the server on Postgres is measured where it is found', async () => {
  expect(await chooseTemporal('auto', reader(), () => Promise.resolve(FOUND))).toBe(FOUND);
});

test('where it cannot be had, the development server is measured and the output says why', async () => {
  const read = reader();
  expect(await chooseTemporal('auto', read, missing)).toBeNull();
  expect(read.said.join('\n')).toMatch(/go is not installed[^]*development server instead/);
});

test('a server on Postgres that was asked for by name and cannot be had is an error', async () => {
  await expect(chooseTemporal('postgres', reader(), missing)).rejects.toThrow('TEMPORAL_SERVER_PATH');
});

test('a fault of the search itself is never taken for a server that cannot be had', async () => {
  const broken = () => Promise.reject(new Error('disk full'));
  await expect(chooseTemporal('auto', reader(), broken)).rejects.toThrow('disk full');
});

test('the development server is not searched for here', async () => {
  expect(await chooseTemporal('dev', reader(), () => Promise.reject(new Error('searched')))).toBeNull();
});
