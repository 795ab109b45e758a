const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Writes each suite's result to MUTANT_REPORT at once, as a line of JSON, because Jest reports nothing when it bails out. */
module.exports = class Recorder {
  onTestResult(_test, { testFilePath, perfStats, testResults, failureMessage }) {
    const failed = testResults.find(({ status }) => status === 'failed');
    const result = {
      suite: relative(process.cwd(), testFilePath),
      ms: perfStats.end - perfStats.start,
      passed: testResults.filter(({ status }) => status === 'passed').length,
      longestTestMs: Math.max(0, ...testResults.map(({ duration }) => duration ?? 0)),
      failure: failed?.fullName ?? failureMessage?.trim().split('\n', 1)[0] ?? null,
      message: failureMessage ?? null,
    };
    appendFileSync(process.env.MUTANT_REPORT, `${JSON.stringify(result)}\n`);
  }
};
