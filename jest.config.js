/** One project per layer, so that `npx jest --selectProjects domain` runs without any server. */
const layer = (name, extra = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '\\.ts$': '@swc/jest' },
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data'],
  ...extra,
});

const withServers = {
  globalSetup: '<rootDir>/test/servers/setup.ts',
  globalTeardown: '<rootDir>/test/servers/teardown.ts',
};

module.exports = {
  projects: [
    layer('domain'),
    layer('dev'),
    layer('workflows', withServers),
    layer('api', withServers),
    layer('stack', withServers),
  ],
};
