const NodeContextEnvironment = require('../../test/jest/environment');

/** After one failure, which is enough to judge the mutant, skips the other tests of a file. Limits each test to MUTANT_TEST_LIMIT_MS. */
module.exports = class FirstFailure extends NodeContextEnvironment {
  hasFailed = false;

  handleTestEvent(event, state) {
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.hasFailed = true;
    if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
    if (event.name === 'test_fn_start') {
      const limitMs = Number(process.env.MUTANT_TEST_LIMIT_MS);
      event.test.timeout = Math.min(event.test.timeout ?? state.testTimeout, limitMs);
    }
  }
};
