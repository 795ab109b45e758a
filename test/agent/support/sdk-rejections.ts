/**
 * Ignores the unhandled rejections that a scripted failure leaves, as the SDK's own processes do. The filter stays for the whole process,
 * because a rejection can come after its suite.
 */
const INSTALLED = Symbol.for('test/scripted-failures-are-ignored');
const MESSAGES = [
  // OpenAiTts replaces the server's error by its own.
  'the voice refused the request',
  'the voice did not answer',
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

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;
const host = process as unknown as { emit: Emit; [INSTALLED]?: boolean };

if (host[INSTALLED] !== true) {
  const { emit } = host;
  host[INSTALLED] = true;
  host.emit = function filtered(event, ...args) {
    if (event === 'unhandledRejection' && isScripted(args[0] as Failure | undefined)) return true;
    return emit.call(process, event, ...args);
  };
}
