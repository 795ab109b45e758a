/**
 * Adapts Jest to the SDK when imported. The SDK recognises errors of cancelled streams by `instanceof TypeError`. Jest's sandbox has its
 * own `TypeError`, so this file makes its `instanceof` accept Node's errors too.
 */
import { types } from 'node:util';
import { runInThisContext } from 'node:vm';

for (const kind of [TypeError, Error]) {
  const isOwn = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(kind, Symbol.hasInstance, {
    value(this: ErrorConstructor, thing: unknown): boolean {
      if (isOwn.call(this, thing)) return true;
      return types.isNativeError(thing) && (this === Error || (this === kind && thing.name === kind.name));
    },
  });
}

/**
 * Ignores the unhandled rejections of scripted failures, as the SDK's own processes do. The filter stays for the whole process, because a
 * rejection can arrive after its suite. It is an accessor, because Jest restores `emit` after each suite.
 */
const IGNORE_SCRIPTED_FAILURES = `((process) => {
  const installed = Symbol.for('test/scripted-failures-are-ignored');
  if (process.emit[installed]) return;
  const messages = [
    // OpenAiTts replaces the server's error by one of its own.
    'the voice refused the request',
    'the voice did not answer',
    // The end of a conversation cancels a request in progress.
    'Request was aborted.',
  ];
  const isScripted = (reason) =>
    reason?.type === 'stand_in' ||
    // A voice without a fallback emits its failure as an event that nothing listens to.
    reason?.context?.error?.type === 'stand_in' ||
    messages.includes(reason?.message);
  let emit = process.emit;
  function filtered(event, reason, ...rest) {
    if (event === 'unhandledRejection' && isScripted(reason)) return true;
    return emit.call(this, event, reason, ...rest);
  }
  filtered[installed] = true;
  Object.defineProperty(process, 'emit', {
    get: () => filtered,
    set: (next) => { if (next !== filtered) emit = next; },
  });
})`;

// Jest gives tests a copy of `process` that emits nothing.
(runInThisContext(IGNORE_SCRIPTED_FAILURES) as (real: unknown) => void)(runInThisContext('process'));
