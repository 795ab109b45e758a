// @ts-check
'use strict';
/*
 * `npm run test:agents`: runs text tests in the agent's own program, or spoken tests with `--spoken`. Plain JavaScript, because the two are
 * built separately.
 */
const { existsSync } = require('fs');
const { join } = require('path');

const isSpoken = process.argv.includes('--spoken');
const program = join(
  __dirname,
  '..',
  isSpoken ? 'dist/dev/talk/spoken/main.js' : 'agent/dist/agent/text/scripted/main.js',
);
if (existsSync(program)) require(program);
else {
  console.error(`${program} is missing: run "npm run build" first.`);
  process.exitCode = 1;
}
