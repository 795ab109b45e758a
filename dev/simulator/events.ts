import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Call } from './call';
import { isoOf, type CancelTimer, type Clock } from './clock';
import { scriptFor, hashUnit } from './numbers';
import type { Step } from './plan';
import type { EventType } from './protocol';
import type { SimulatorLog } from './log';

/** Returns the event for a step, or null if the platform gets none. */
export function eventOf(call: Call, index: number, step: Step, atMs: number): EventMessage | null {
  const events = call.direction === 'outbound' ? scriptFor(call.to).events : 'in_order';
  if (step.type === 'ended' && events === 'never_ended') return null;
  const type = typeOf(call, step);
  if (call.reference === null && type !== 'inbound') return null;
  const eventId = eventIdOf(call.carrierId, index);
  const { reference } = call;
  const twice = events === 'twice_and_shuffled';
  return {
    eventId,
    type,
    carrierId: call.carrierId,
    reference,
    url: call.eventsUrl,
    body: JSON.stringify({
      event_id: eventId,
      carrier_id: call.carrierId,
      ...(reference === null ? {} : { reference }),
      to: call.to,
      from: call.from,
      type,
      at: isoOf(atMs),
      ...detailOf(step),
    }),
    copies: twice ? 2 : 1,
    shuffleSeed: twice ? `shuffle:${call.to}:${index}` : null,
  };
}

/** A caller's ringing becomes the `inbound` event, which requests a decision. The call has no reference until the platform responds. */
function typeOf(call: Call, step: Step): EventType {
  return call.direction === 'inbound' && step.type === 'ringing' ? 'inbound' : step.type;
}

function detailOf(step: Step): Record<string, unknown> {
  switch (step.type) {
    case 'dialing':
    case 'ringing':
      return {};
    case 'answered':
      return { answered_by: step.answered_by };
    case 'segment':
      return { speaker: step.speaker, text: step.text, start_ms: step.start_ms, end_ms: step.end_ms };
    case 'ended':
      return { end_reason: step.end_reason, sip_status: step.sip_status, answered_by: step.answered_by };
  }
}

/** Derives a UUID from the call and the step, so that an event keeps its id after a restart. */
function eventIdOf(carrierId: string, index: number): string {
  const hex = createHash('sha1').update(`${carrierId}:${index}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

export interface EventMessage {
  /** The same for all attempts and copies. */
  eventId: string;
  type: EventType;
  carrierId: string;
  reference: string | null;
  url: string;
  body: string;
  /** 2 if the number's script sends every event twice. */
  copies: 1 | 2;
  /** Seed for the delay of each copy, which makes delays repeatable; null sends immediately. */
  shuffleSeed: string | null;
  /** Called with the receiver's response to the attempt that it accepted. */
  onAnswer?: (body: string) => void;
  /** Called when all attempts have failed. */
  onGivenUp?: () => void;
}

/** How far the sender had got with one copy of an event before a restart. */
export interface Progress {
  attempts: number;
  accepted: boolean;
}

export const progressKey = (eventId: string, copy: number): string => `${eventId}#${copy}`;

export interface EventSender {
  /**
   * Starts the first attempt synchronously unless the event is shuffled. A call's events are therefore sent in order, without waiting for
   * responses.
   */
  send(message: EventMessage, earlier?: ReadonlyMap<string, Progress>): void;
  close(): void;
}

interface EventSenderOptions {
  clock: Clock;
  log: SimulatorLog;
  poster: Poster;
  /** Delays before each attempt after the first, counted from the end of the previous attempt. */
  retryDelaysMs: readonly number[];
  shuffleMs: number;
}

export function createEventSender(options: EventSenderOptions): EventSender {
  const { clock, log, poster, retryDelaysMs, shuffleMs } = options;
  const timers = new Set<CancelTimer>();
  let closed = false;

  const later = (delayMs: number, run: () => void): void => {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  };

  const attempt = async (message: EventMessage, copy: number, number: number): Promise<void> => {
    const startedAtMs = clock.nowMs();
    const answer = await poster.post(message.url, message.body);
    if (closed) return;
    const accepted = answer.status !== null && answer.status >= 200 && answer.status < 300;
    // Applies the decision before logging it. If the process dies in between, the event is sent again and the response isn't lost.
    if (accepted) message.onAnswer?.(answer.body);
    log.write({
      kind: 'event',
      at: isoOf(startedAtMs),
      event_id: message.eventId,
      carrier_id: message.carrierId,
      reference: message.reference,
      type: message.type,
      copy,
      attempt: number,
      status: answer.status,
      duration_ms: clock.nowMs() - startedAtMs,
    });
    if (accepted) return;
    const delayMs = retryDelaysMs[number - 1];
    if (delayMs === undefined) message.onGivenUp?.();
    else later(delayMs, () => void attempt(message, copy, number + 1));
  };

  const sendCopy = (message: EventMessage, copy: number, done: Progress | undefined): void => {
    if (done?.accepted === true) return;
    const number = (done?.attempts ?? 0) + 1;
    if (number > retryDelaysMs.length + 1) message.onGivenUp?.();
    else if (message.shuffleSeed === null) void attempt(message, copy, number);
    else {
      const delayMs = Math.floor(hashUnit(`${message.shuffleSeed}:${copy}`) * shuffleMs);
      later(delayMs, () => void attempt(message, copy, number));
    }
  };

  return {
    send(message, earlier) {
      for (let copy = 0; copy < message.copies; copy += 1) {
        sendCopy(message, copy, earlier?.get(progressKey(message.eventId, copy)));
      }
    },
    close() {
      closed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}

/** `status` is null if no response came in time. */
export interface PostResult {
  status: number | null;
  body: string;
}

interface Poster {
  /** Never rejects. If the receiver can't be reached, the result shows it. */
  post(url: string, body: string): Promise<PostResult>;
  close(): void;
}

const NO_ANSWER: PostResult = { status: null, body: '' };
/** Larger than any response that the simulator reads: it reads only decisions about inbound calls. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Posts JSON over kept-alive connections. It uses plain `http`, because each call sends eight events and fetch takes several times the CPU
 * time.
 */
export function createPoster(options: { secret: string; timeoutMs: number }): Poster {
  const agents = {
    http: new http.Agent({ keepAlive: true }),
    https: new https.Agent({ keepAlive: true }),
  };
  const headersFor = (body: string) => ({
    authorization: `Bearer ${options.secret}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });

  const postOnce = (url: string, body: string): Promise<PostResult & { staleSocket?: boolean }> =>
    new Promise((resolve) => {
      const secure = url.startsWith('https:');
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        headers: headersFor(body),
      });
      const timer = setTimeout(() => request.destroy(new Error('timed out')), options.timeoutMs);
      const finish = (result: PostResult & { staleSocket?: boolean }) => {
        clearTimeout(timer);
        resolve(result);
      };
      request.on('error', (error: NodeJS.ErrnoException) =>
        finish({ ...NO_ANSWER, staleSocket: request.reusedSocket && error.code === 'ECONNRESET' }),
      );
      request.on('response', (response) => readAnswer(response, finish));
      request.end(body);
    });

  return {
    async post(url, body) {
      const first = await postOnce(url, body);
      // The receiver closed an idle connection just when this request used it, so the request wasn't sent.
      return first.staleSocket === true ? postOnce(url, body) : first;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function readAnswer(response: http.IncomingMessage, finish: (result: PostResult) => void): void {
  let body = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    if (body.length < MAX_ANSWER_BYTES) body += chunk;
  });
  response.on('end', () => finish({ status: response.statusCode ?? null, body }));
  response.on('error', () => finish(NO_ANSWER));
}
