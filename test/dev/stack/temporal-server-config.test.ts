import { valueAt } from '../../../domain/json';
import { dynamicConfig, serverConfig, TEMPORAL_DATABASES } from '../../../dev/stack/temporal-server-config';

const PORTS = {
  frontendRpc: 7233,
  frontendMembership: 1,
  historyRpc: 2,
  historyMembership: 3,
  matchingRpc: 4,
  matchingMembership: 5,
  workerRpc: 6,
  workerMembership: 7,
};

const config = () =>
  serverConfig({
    ports: PORTS,
    database: { port: 5432, user: 'platform', password: 'secret' },
    dynamicConfigFile: '/data/dynamic.yaml',
    logLevel: 'warn',
  });

test('binds each Temporal service to loopback, on separate ports', () => {
  for (const name of ['frontend', 'history', 'matching', 'worker'] as const) {
    expect(valueAt(config(), 'services', name, 'rpc')).toEqual({
      grpcPort: PORTS[`${name}Rpc`],
      membershipPort: PORTS[`${name}Membership`],
      bindOnIP: '127.0.0.1',
    });
  }
});

test("stores Temporal's state and visibility outside the platform’s database", () => {
  const names = Object.entries(TEMPORAL_DATABASES).map(([store, name]) => {
    expect(valueAt(config(), 'persistence', 'datastores', store, 'sql', 'databaseName')).toBe(name);
    return name;
  });
  expect(new Set([...names, 'platform']).size).toBe(3);
});

test('leaves enough Postgres connections for the platform', () => {
  const max = Object.keys(TEMPORAL_DATABASES).map((store) =>
    Number(valueAt(config(), 'persistence', 'datastores', store, 'sql', 'maxConns')),
  );
  expect(4 * max.reduce((sum, connections) => sum + connections, 0)).toBeLessThanOrEqual(100);
});

test("preserves the types of Temporal's server settings", () => {
  expect(dynamicConfig({ a: '1', b: 'true', c: '"text"' })).toEqual({
    a: [{ value: 1 }],
    b: [{ value: true }],
    c: [{ value: 'text' }],
  });
});
