const { availableParallelism } = require('node:os');

/**
 * The configuration of Jest for one of the two runs: `npm test` takes the files named `*.test.ts`, `npm run test:long` those named
 * `*.long.test.ts`. There is one project per layer, so that `npx jest --selectProjects domain` runs without any server.
 */
module.exports = function layers({ testsAreLong }) {
  const layer = (name, extra = {}) => ({
    displayName: name,
    rootDir: `${__dirname}/..`,
    testEnvironment: 'node',
    transform: { '\\.ts$': '@swc/jest' },
    testMatch: [`<rootDir>/test/${name}/**/*${testsAreLong ? '.long' : ''}.test.ts`],
    testPathIgnorePatterns: ['/node_modules/', ...(testsAreLong ? [] : ['\\.long\\.test\\.ts$'])],
    modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/agent/dist', '<rootDir>/.data'],
    ...extra,
  });

  /** Each layer has a set-up file, because Jest runs one file once, not once for each project that names it. */
  const withServers = (name) =>
    layer(name, {
      globalSetup: `<rootDir>/test/servers/setup-${name}${testsAreLong && ['api', 'stack'].includes(name) ? '-long' : ''}.ts`,
      globalTeardown: '<rootDir>/test/servers/teardown.ts',
    });

  return {
    rootDir: `${__dirname}/..`,
    // Of conversations with agents in one file, which are in real time: more at once are late on two cores.
    maxConcurrency: 2,
    // Half of a short run is waiting for processes that start: more workers than two cores. Conversations in real time, of the long run, are
    // late beside two other workers. A worker that has grown is replaced.
    maxWorkers: testsAreLong ? Math.max(2, availableParallelism() - 1) : Math.max(3, availableParallelism()),
    workerIdleMemoryLimit: '1GB',
    testSequencer: '<rootDir>/test/slowest-first.js',
    // A busy machine is slow; what hangs is still found.
    testTimeout: 60_000,
    reporters: [
      'default',
      '<rootDir>/test/servers/report-tasks.js',
      '<rootDir>/test/servers/report-missing.js',
    ],
    projects: [
      layer('domain'),
      layer('activities'),
      layer('runtime'),
      layer('worker'),
      layer('sdk'),
      layer('dev'),
      layer('verify'),
      layer('agent'),
      // Its pages are tested in the long run, its pure parts in the short one.
      testsAreLong ? withServers('console') : layer('console'),
      withServers('db'),
      withServers('workflows'),
      withServers('api'),
      withServers('stack'),
    ],
  };
};
