const { availableParallelism } = require('node:os');

/**
 * Returns Jest's configuration: `npm test` runs files named `*.test.ts`, `npm run test:long` those named `*.long.test.ts`. Each layer is a
 * project, so `npx jest --selectProjects domain` needs no server.
 */
module.exports = function layers({ testsAreLong }) {
  const layer = (name, extra = {}) => ({
    displayName: name,
    rootDir: `${__dirname}/../..`,
    testEnvironment: '<rootDir>/test/jest/environment.js',
    runtime: '<rootDir>/test/jest/runtime.js',
    // Node's own code, such as `fetch`, sees the fake timers too and needs these.
    fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] },
    transform: { '\\.ts$': '@swc/jest' },
    testMatch: [`<rootDir>/test/${name}/**/*${testsAreLong ? '.long' : ''}.test.ts`],
    testPathIgnorePatterns: ['/node_modules/', ...(testsAreLong ? [] : ['\\.long\\.test\\.ts$'])],
    modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/agent/dist', '<rootDir>/.data'],
    ...extra,
  });

  /** Each layer has its own setup file, because Jest runs a file only once even if several projects name it. */
  const withServers = (name) =>
    layer(name, {
      globalSetup: `<rootDir>/test/servers/setup-${name}${testsAreLong && ['api', 'stack'].includes(name) ? '-long' : ''}.ts`,
      globalTeardown: '<rootDir>/test/servers/teardown.ts',
    });

  return {
    rootDir: `${__dirname}/../..`,
    // Agent conversations run in real time. More than two at once in a file would lag on two cores.
    maxConcurrency: 2,
    // The short run waits for processes half of its time, so it can use more workers than two cores. With that many workers, real-time
    // conversations in the long run would lag.
    maxWorkers: testsAreLong ? Math.max(2, availableParallelism() - 1) : Math.max(3, availableParallelism()),
    workerIdleMemoryLimit: '1GB',
    testSequencer: '<rootDir>/test/jest/slowest-first.js',
    // A busy machine is slow, but a hanging test must still fail.
    testTimeout: 60_000,
    reporters: [
      'default',
      '<rootDir>/test/servers/report-tasks.js',
      '<rootDir>/test/servers/report-missing.js',
    ],
    projects: [
      layer('domain'),
      layer('activities'),
      layer('config'),
      layer('runtime'),
      layer('worker'),
      layer('sdk'),
      layer('dev'),
      layer('verify'),
      layer('agent'),
      // The long run tests the console's pages, and the short run its pure functions.
      testsAreLong ? withServers('console') : layer('console'),
      withServers('db'),
      withServers('workflows'),
      withServers('api'),
      withServers('stack'),
    ],
  };
};
