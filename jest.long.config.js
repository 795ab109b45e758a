/** `npm run test:long`: tests that need minutes, a browser or a media server. */
module.exports = require('./test/jest/layers')({ testsAreLong: true });
