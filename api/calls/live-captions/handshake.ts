/** Turns a request for captions into a listener, or rejects it with an HTTP error before the upgrade. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  captionsSince,
  isCallOf,
  organizationOfCall,
  type CaptionedCall,
} from '../../../db/calls/live-captions';
import type { Db } from '../../../db/kernel/connection';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import { Shares, type Release } from '../../../runtime/shares';
import { assertScope, type Authentication } from '../../http/auth/api-key';
import { ApiError } from '../../http/errors/api-error';
import { rawAnswer } from '../../http/errors/answer';
import type { Drop } from '../../http/metrics';
import {
  callNotFound,
  foreignOrigin,
  invalidInput,
  invalidSignature,
  notFound,
  rateLimited,
  serviceUnavailable,
} from '../../http/errors/refusals';
import { bytes, Listener, type Audience } from './audience';
import { connectedFrame, historyFrame } from './frames';
import type { CaptionsHub } from './hub';
import { isCaptionsToken, readTarget } from './url';

interface HandshakeDependencies {
  db: Db;
  hub: CaptionsHub;
  admission: Admission;
  clock: { now(): number };
  log: Pick<Logger, 'warn'>;
  settings: { secretsKeys: SecretsKeys; publicUrl: string };
  /** Checks a console session, which can open a call without a token. */
  authentication: Pick<Authentication, 'sessionOf' | 'sessionTokenOf'>;
  /** Resolves to true if notifications are being received. Otherwise the listener would miss segments. */
  isSubscribed: () => Promise<boolean>;
  joined: () => void;
  left: (drop: Drop | null) => void;
}

interface Opened {
  callId: string;
  after: number;
  /** The token of the console session; null if the URL was signed. */
  session: string | null;
}

type Joining = Omit<Opened, 'callId'> & { call: CaptionedCall; notificationsBefore: number; left: Release };

/** Listeners have nothing to send, so this can be small. */
const MAX_BYTES = 16 * 1024;

export class Handshake {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression would keep about 300 kB per listener.
    perMessageDeflate: false,
    maxPayload: MAX_BYTES,
  });
  private isClosed = false;

  constructor(private readonly deps: HandshakeDependencies) {}

  /** Never rejects. */
  async take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // The socket's errors have no other handler before the upgrade.
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    try {
      const target = await this.admit(request);
      await this.enter(target, (then) => {
        socket.removeListener('error', ignore);
        this.sockets.handleUpgrade(request, socket, head, then);
      });
    } catch (error) {
      socket.end(rawAnswer(this.refusalOf(error)), () => socket.destroy());
    }
  }

  close(): void {
    this.isClosed = true;
  }

  private async admit(request: IncomingMessage): Promise<Opened> {
    if (this.isClosed) throw serviceUnavailable();
    const target = readTarget(request.url ?? '');
    if (target === null) throw notFound();
    const { token, callId, after } = target;
    const session = token === null ? await this.sessionFor(request, callId) : null;
    if (token !== null) this.assertToken({ callId, token });
    if (after === null)
      throw invalidInput([
        { loc: ['query', 'after'], msg: 'must be the `seq` of a segment', type: 'value_error' },
      ]);
    return { callId, after, session };
  }

  private assertToken(given: { callId: string; token: string }): void {
    const { settings, clock } = this.deps;
    if (!isCaptionsToken(settings.secretsKeys, given, clock.now())) throw invalidSignature();
  }

  /** Checks the Origin, because a page of another site could open a WebSocket with our cookie. */
  private async sessionFor(request: IncomingMessage, callId: string): Promise<string> {
    if (this.deps.authentication.sessionTokenOf(request) === '') throw invalidSignature();
    if (!isOwnOrigin(request, this.deps.settings.publicUrl)) throw foreignOrigin();
    const { holder, token } = await this.deps.authentication.sessionOf(request);
    assertScope(holder, 'read');
    if (!(await isCallOf(this.deps.db, callId, holder.id))) throw callNotFound();
    return token;
  }

  private async enter(
    { callId, after, session }: Opened,
    upgrade: (then: (socket: WebSocket) => void) => void,
  ): Promise<void> {
    const { hub, admission } = this.deps;
    admission.assertMayCome(callId, hub.countOf(callId));
    const organization = await organizationOfCall(this.deps.db, callId);
    if (organization === undefined) throw invalidSignature();
    const admitted = await admission.enter(organization);
    const audience = hub.hold(callId);
    let isListening = false;
    try {
      if (!(await this.deps.isSubscribed())) throw serviceUnavailable();
      await hub.register(audience);
      const notificationsBefore = audience.notifications;
      const [call] = await captionsSince(this.deps.db, [{ callId, seq: after }]);
      if (call === undefined) throw invalidSignature();
      if (this.isClosed) throw serviceUnavailable();
      // The callback runs synchronously, or never if the client has left or doesn't speak the protocol.
      upgrade((socket) => {
        isListening = true;
        this.join(socket, audience, { call, notificationsBefore, after, session, left: admitted.left });
      });
    } finally {
      admitted.entered();
      if (!isListening) admitted.left();
      hub.release(audience);
    }
  }

  private join(
    socket: WebSocket,
    audience: Audience,
    { call, notificationsBefore, after, session, left: leave }: Joining,
  ): void {
    const { hub, joined, left } = this.deps;
    joined();
    const listener = new Listener(socket, {
      // Cap the cursor: a listener ahead of the last segment would receive nothing until the call catches up.
      seq: call.segments.at(-1)?.seq ?? Math.min(after, call.emittedSegments),
      knowsOfAnswer: call.answeredAt !== null,
      session,
      closed: (gone, drop) => {
        leave();
        left(drop);
        hub.leave(call.callId, gone);
      },
    });
    listener.send(bytes(connectedFrame(call)));
    listener.sendHistory(bytes(historyFrame(call)));
    hub.join(audience, listener, { call, notificationsBefore });
  }

  private refusalOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    this.deps.log.warn(
      { error: error instanceof Error ? error.name : 'unknown' },
      'captions could not be read',
    );
    return serviceUnavailable(error);
  }
}

/** Compares with the Host header and with the public URL, because a proxy may have changed the Host. */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin = '', host } = headers;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin;
}

export interface AdmissionLimits {
  perCall: number;
  /** Maximum number of listeners in this process. One organization may have a quarter. */
  perProcess: number;
  /** Maximum number of listeners whose history is being read, each with a database connection. One organization may have a quarter. */
  entering: number;
  /** Connections to one call per minute, so that a listener that keeps being dropped doesn't re-read its history each time. */
  perCallAndMinute: number;
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  perCall: 100,
  perProcess: 5_000,
  entering: 40,
  perCallAndMinute: 120,
};

const OF_ONE = 1 / 4;
const WAIT_MS = 5_000;
const MINUTE_MS = 60_000;

interface Admitted {
  /** Call it once the history has been read. */
  entered: Release;
  left: Release;
}

/** Limits the number of listeners and how often they may connect. */
export class Admission {
  private readonly listening: Shares;
  private readonly entering: Shares;
  private cameSince = performance.now();
  private came = new Map<string, number>();

  constructor(private readonly limits: AdmissionLimits) {
    const { perProcess, entering } = limits;
    this.listening = new Shares({ max: perProcess, maxPerOwner: Math.ceil(perProcess * OF_ONE) });
    this.entering = new Shares({
      max: entering,
      maxPerOwner: Math.ceil(entering * OF_ONE),
      waiting: perProcess,
      waitMs: WAIT_MS,
    });
  }

  /** Records a connection to the call. @throws ApiError 429 with the time to retry */
  assertMayCome(callId: string, listeningToCall: number): void {
    const { perCall, perCallAndMinute } = this.limits;
    const now = performance.now();
    if (now - this.cameSince > MINUTE_MS) {
      this.cameSince = now;
      this.came = new Map();
    }
    const came = (this.came.get(callId) ?? 0) + 1;
    if (came > perCallAndMinute) throw rateLimited(Math.ceil((this.cameSince + MINUTE_MS - now) / 1000));
    if (listeningToCall >= perCall) throw rateLimited(5);
    this.came.set(callId, came);
  }

  /** Waits for a slot of the organization. @throws ApiError 503 if it has too many listeners or the wait takes too long */
  async enter(organization: string): Promise<Admitted> {
    const left = this.listening.take(organization);
    if (left === null) throw serviceUnavailable();
    const entered = await this.entering.enter(organization);
    if (entered !== null) return { entered, left };
    left();
    throw serviceUnavailable();
  }
}
