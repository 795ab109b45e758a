// @ts-check
'use strict';
/*
 * Lets `require` load .ts files, compiled in memory like jest does (.swcrc). The doctor must work even if the build doesn't, so it
 * doesn't use one.
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
