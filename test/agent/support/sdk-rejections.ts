/**
 * What the SDK needs of Jest.
 *
 * The SDK lets go of streams while it reads from them, and knows what Node throws then by `instanceof TypeError`. Jest's tests have a
 * `TypeError` of their own, which Node's are none of: here they are.
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

/** A model that fails by its script leaves rejections to nobody: the SDK's own processes swallow all of them. Called while a test runs. */
export function ignoreScriptedFailures(): void {
  // Jest gives tests a copy of it.
  const real = runInThisContext('process') as NodeJS.Process;
  for (const original of real.listeners('unhandledRejection')) {
    if (wrapped.has(original)) continue;
    const listener: NodeJS.UnhandledRejectionListener = (reason, promise) => {
      const { type, message } = (reason ?? {}) as { type?: unknown; message?: unknown };
      // A request that is under way when the conversation ends is broken off.
      if (type !== 'stand_in' && message !== 'Request was aborted.') original(reason, promise);
    };
    wrapped.add(listener);
    real.off('unhandledRejection', original);
    real.on('unhandledRejection', listener);
  }
}

const wrapped = new WeakSet<NodeJS.UnhandledRejectionListener>();
