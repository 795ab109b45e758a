const asyncHooks = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const storages = new Set();
asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.add(this);
  }
};

/**
 * Jest environment that runs suites in Node's own context, so that they can share packages (`runtime.js`). A suite must undo its changes
 * to globals. This environment restores the environment variables, the console and the timers.
 */
module.exports = class NodeContextEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      names: globalNames(),
      console: globalThis.console,
      exit: process.exit,
      variables: { ...process.env },
    };
  }

  async setup() {}

  async teardown() {
    const { names, console, exit, variables } = this.before;
    this.fakeTimersModern.dispose();
    // Jest keeps its event handlers there, and with them everything that the suite has loaded.
    for (const name of globalNames()) if (!names.has(name)) Reflect.deleteProperty(globalThis, name);
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    // Node copies the value of each enabled storage to each promise, so the storages of earlier suites make later suites slow and large.
    for (const storage of storages) storage.disable();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};

const globalNames = () => new Set(Reflect.ownKeys(globalThis));
