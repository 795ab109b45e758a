const { projects, ...run } = require('./test/jest/layers')({ testsAreLong: false });

/** `npm run test:sip`: calls over the real SIP bridge to phones that SIPp plays. */
module.exports = {
  ...run,
  // Concurrent calls of one file. Each is an agent process that mostly waits.
  maxConcurrency: 4,
  maxWorkers: 2,
  projects: [
    {
      ...projects.find(({ displayName }) => displayName === 'stack'),
      displayName: 'sip',
      testMatch: ['<rootDir>/test/sip/*.suite.ts'],
      globalSetup: '<rootDir>/test/servers/setup-sip.ts',
    },
  ],
};
