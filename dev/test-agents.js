// @ts-check
'use strict';
/*
 * `npm run test:agents`: by text, in the agent's own program; with `--spoken` by sound. Plain JavaScript, because the two are built apart.
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
