const { availableParallelism } = require('node:os');

/** One project per layer, so that `npx jest --selectProjects domain` runs without any server. */
const layer = (name, extra = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '\\.ts$': '@swc/jest' },
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/agent/dist', '<rootDir>/.data'],
  ...extra,
});

/** A set-up file for each layer, because jest runs one file once, not once for each project that names it. */
const withServers = (name) =>
  layer(name, {
    globalSetup: `<rootDir>/test/servers/setup-${name}.ts`,
    globalTeardown: '<rootDir>/test/servers/teardown.ts',
  });

module.exports = {
  // Of conversations with agents in one file, which are in real time: more at once are late on two cores.
  maxConcurrency: 2,
  // Most of a run is waiting for calls that talk: two at a time also on two cores. A worker that has grown is replaced.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  workerIdleMemoryLimit: '1GB',
  // A busy machine is slow; what hangs is still found.
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/servers/report-missing.js'],
  projects: [
    layer('domain'),
    layer('dev'),
    layer('agent'),
    withServers('db'),
    withServers('workflows'),
    withServers('api'),
    withServers('stack'),
  ],
};
