/**
 * Ignores the unhandled rejections that a scripted failure leaves, as the SDK's own processes do. The filter stays for the whole process,
 * because a rejection can come after its suite.
 */
const INSTALLED = Symbol.for('test/scripted-failures-are-ignored');
const MESSAGES = [
  // OpenAiTts replaces the server's error with its own.
  'the TTS server rejected the request',
  "the TTS server didn't respond",
  // The end of a conversation cancels a request in progress.
  'Request was aborted.',
];

interface Failure {
  type?: string;
  message?: string;
  /** A voice without a fallback emits its failure as an event that nothing listens to. */
  context?: { error?: Failure };
}

const isScripted = (reason: Failure | undefined): boolean =>
  reason?.type === 'stand_in' ||
  reason?.context?.error?.type === 'stand_in' ||
  MESSAGES.includes(reason?.message ?? '');

type Emit = ((event: string | symbol, ...args: unknown[]) => boolean) & { [INSTALLED]?: boolean };
const host = process as unknown as { emit: Emit };

/** Each filter keeps the `emit` that it wraps, because a later `emit` of another library can call an earlier filter. */
function filtered(emit: Emit): Emit {
  if (emit[INSTALLED] === true) return emit;
  const filter: Emit = (event, ...args) =>
    (event === 'unhandledRejection' && isScripted(args[0] as Failure | undefined)) ||
    emit.call(process, event, ...args);
  filter[INSTALLED] = true;
  return filter;
}

if (host.emit[INSTALLED] !== true) {
  let current = filtered(host.emit);
  // Jest assigns the earlier `emit` after each suite, so the filter is an accessor that can't be removed.
  Object.defineProperty(host, 'emit', {
    get: () => current,
    set: (next: Emit) => {
      current = filtered(next);
    },
  });
}
