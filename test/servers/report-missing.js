const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Servers that the engine's own tests need. A run without them would prove nothing, so it always fails. */
const ESSENTIAL = ['postgres', 'temporal', 'time-skipping'];

/**
 * Jest reporter that names the suites skipped for lack of a server, and how to install it. A missing essential server always fails the run.
 * Others fail it only with CI=true or REQUIRE_SERVERS=true, which scripts for single suites set.
 */
module.exports = class ReportMissing {
  missing = [];

  onRunComplete() {
    this.missing = readMissing(process.env.TEST_SERVERS_FOLDER);
    const kinds = new Map(this.missing.map(({ kind, reason }) => [kind, reason]));
    for (const [kind, reason] of kinds) {
      const titles = this.missing.filter((suite) => suite.kind === kind).map((suite) => suite.title);
      process.stderr.write(
        `\nSkipped because ${kind} is not available on this machine:\n` +
          `${titles.map((title) => `  ${title}\n`).join('')}${reason}\n`,
      );
    }
  }

  getLastError() {
    const isStrict = process.env.CI === 'true' || process.env.REQUIRE_SERVERS === 'true';
    const failing = isStrict ? this.missing : this.missing.filter(isEssential);
    if (failing.length === 0) return undefined;
    const kinds = [...new Set(failing.map(({ kind }) => kind))].join(', ');
    return new Error(
      `${failing.length} suites did not run because a server is missing (${kinds}): see above for what to install`,
    );
  }
};

function isEssential({ kind }) {
  return ESSENTIAL.includes(kind);
}

function readMissing(folder) {
  if (folder === undefined) return [];
  try {
    const lines = readFileSync(join(folder, 'missing-servers.jsonl'), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
