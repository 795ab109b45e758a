/** `npm run test:long`: what needs minutes, a browser, or a media server. */
module.exports = require('./test/layers')({ testsAreLong: true });
