const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Without these the tests of the engine itself did not run: such a run proves nothing and must not pass for one that did. */
const ESSENTIAL = ['postgres', 'temporal', 'time-skipping'];

/**
 * Jest reporter: names the suites that did not run because a server is missing, with the remedy. An essential server always fails the run.
 * Every server does with CI=true, and with REQUIRE_SERVERS=true, which the scripts set whose suites a person asks for by name.
 */
module.exports = class ReportMissing {
  missing = [];

  onRunComplete() {
    this.missing = readMissing(process.env.TEST_SERVERS_FOLDER);
    const kinds = new Map(this.missing.map(({ kind, reason }) => [kind, reason]));
    for (const [kind, reason] of kinds) {
      const titles = this.missing.filter((suite) => suite.kind === kind).map((suite) => suite.title);
      process.stderr.write(
        `\nNot run, because ${kind} cannot be had on this machine:\n` +
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
      `${failing.length} suites did not run because a server is missing (${kinds}): see above what to install`,
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
