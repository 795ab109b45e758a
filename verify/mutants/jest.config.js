/**
 * Runs the fast suites as in `npm test`, in a copy of the project and on servers that the judge keeps open. MUTANT_SUITES is their order as
 * JSON, MUTANT_TEST_LIMIT_MS the time limit of a test, MUTANT_CACHE a folder, and MUTANT_REPORT the recorder's file.
 */
const rootDir = `${__dirname}/../..`;
const cacheDirectory = process.env.MUTANT_CACHE;
const layers = require('../../test/jest/layers')({ testsAreLong: false });

const onOpenServers = ({ globalSetup: _setup, globalTeardown: _teardown, ...layer }) => ({
  ...layer,
  rootDir,
  cacheDirectory,
  testEnvironment: `${__dirname}/first-failure.js`,
});

module.exports = {
  ...layers,
  rootDir,
  cacheDirectory,
  bail: 1,
  reporters: [`${__dirname}/recorder.js`],
  testSequencer: `${__dirname}/in-order.js`,
  projects: layers.projects.map(onOpenServers),
};
