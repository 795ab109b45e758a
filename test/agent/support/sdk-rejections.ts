/**
 * Adapts Jest to the SDK. The SDK cancels streams while it reads from them, and recognises Node's error by `instanceof TypeError`. Jest's
 * sandbox has a `TypeError` of its own, to which Node's errors do not belong: here `instanceof` accepts them.
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

/** A scripted failure leaves unhandled rejections, which the SDK's own processes ignore. Called while a test runs. */
export function ignoreScriptedFailures(): void {
  // Jest gives tests a copy of it.
  const real = runInThisContext('process') as NodeJS.Process;
  for (const original of real.listeners('unhandledRejection')) {
    if (wrapped.has(original)) continue;
    const listener: NodeJS.UnhandledRejectionListener = (reason, promise) => {
      const { type, message, context } = (reason ?? {}) as Rejection;
      // A voice without a second one emits its failure as an event that nothing listens to.
      const isScripted =
        type === 'stand_in' || context?.error?.type === 'stand_in' || VOICE_FAILURES.has(String(message));
      // A request in progress is aborted when the conversation ends.
      if (!isScripted && message !== 'Request was aborted.') original(reason, promise);
    };
    wrapped.add(listener);
    real.off('unhandledRejection', original);
    real.on('unhandledRejection', listener);
  }
}

interface Rejection {
  type?: unknown;
  message?: unknown;
  context?: { error?: { type?: unknown } };
}

/** Of a voice over HTTP: its error says nothing of the answer. */
const VOICE_FAILURES: ReadonlySet<string> = new Set([
  'the voice refused the request',
  'the voice did not answer',
]);

const wrapped = new WeakSet<NodeJS.UnhandledRejectionListener>();
