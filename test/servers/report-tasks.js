const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const Table = require('cli-table3');

/** Jest reporter that lists a manager's tasks in the console, with their clicks, fields and seconds. */
module.exports = class ReportTasks {
  onRunComplete() {
    const tasks = readTasks(process.env.TEST_SERVERS_FOLDER);
    if (tasks.length === 0) return;
    const table = new Table({
      head: ['task of a manager', 'clicks', 'fields', 's'],
      style: { head: [], border: [] },
    });
    for (const { task, clicks, fields, seconds } of tasks)
      table.push([task, clicks, fields, seconds.toFixed(1)]);
    process.stderr.write(`\n${table.toString()}\n`);
  }
};

function readTasks(folder) {
  const file = join(folder ?? '', 'console-tasks.jsonl');
  if (folder === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
