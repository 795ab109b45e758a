const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

const PACKAGES = '/node_modules/';
const JEST = /\/node_modules\/(@jest\/|jest|expect\/|pretty-format\/)/;

/**
 * Jest runtime that loads each package once per worker process instead of once per suite, because loading took half of the time of
 * `npm test`. The project's own modules are still loaded for each suite, so their state is not shared.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    // Jest compiles into a context of its own, in which `instanceof Error` would be false for errors of shared packages.
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModule(from, name, options, isActual) {
    const path = options?.isInternalModule ? null : packageFile(from, name);
    return path === null ? super.requireModule(from, name, options, isActual) : require(path);
  }
};

/** Returns the file of a package's module, or null for a module of the project, of Node or of Jest. */
function packageFile(from, name) {
  if (name === undefined || name.startsWith('.') || isBuiltin(name) || JEST.test(from)) return null;
  try {
    const path = createRequire(from).resolve(name);
    return path.includes(PACKAGES) && !JEST.test(path) ? path : null;
  } catch {
    // Jest's own resolution reports the error.
    return null;
  }
}
