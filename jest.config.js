/** `npm test`: every layer, in minutes. jest.long.config.js has the slower tests. */
module.exports = require('./test/jest/layers')({ testsAreLong: false });
