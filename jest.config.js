/** `npm test`: every layer, in minutes. What takes longer is in jest.long.config.js. */
module.exports = require('./test/layers')({ testsAreLong: false });
