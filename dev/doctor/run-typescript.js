// @ts-check
'use strict';
/*
 * Lets `require` take .ts files, compiled in memory as jest compiles them (.swcrc). The doctor is run to find out what is wrong: it waits
 * for no build, and needs none to be right.
 */
const { join } = require('path');

const ROOT = join(__dirname, '..', '..');

function runTypescript() {
  /** @type {typeof import('@swc/core')} */
  const { transformFileSync } = require('@swc/core');
  require.extensions['.ts'] = (module, file) => {
    const { code } = transformFileSync(file, { cwd: ROOT });
    /** @type {any} */ (module)._compile(code, file);
  };
}

module.exports = { runTypescript };
