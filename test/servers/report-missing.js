const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Jest reporter: names the suites that did not run for want of a server, and fails the run when CI=true. */
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
    if (this.missing.length === 0 || process.env.CI !== 'true') return undefined;
    return new Error(`${this.missing.length} suites did not run for want of a server`);
  }
};

function readMissing(folder) {
  if (folder === undefined) return [];
  try {
    const lines = readFileSync(join(folder, 'missing-servers.jsonl'), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
