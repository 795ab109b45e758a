/** Turns a request for captions into a listener or an HTTP error. Everything is decided before the upgrade. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Db } from '../../../db/kernel/connection';
import type { Release } from '../../../runtime/shares';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import {
  captionsSince,
  organizationOfCall,
  isCallOf,
  type CaptionedCall,
} from '../../../db/calls/live-captions';
import { isCaptionsToken } from '../captions-url';
import { ApiError } from '../../http/errors/api-error';
import { rawAnswer } from '../../http/errors/raw-answer';
import { assertScope, type Authentication } from '../../http/auth/api-key';
import {
  callNotFound,
  foreignOrigin,
  invalidInput,
  invalidSignature,
  notFound,
  serviceUnavailable,
} from '../../http/errors/refusals';
import type { Admission } from './admission';
import { bytes, type Audience } from './audience';
import { connectedFrame, historyFrame } from './frames';
import type { CaptionsHub } from './hub';
import type { Drop } from '../../http/observability/caption-metrics';
import { Listener } from './listener';
import { readTarget } from './target';

export interface HandshakeDependencies {
  db: Db;
  hub: CaptionsHub;
  admission: Admission;
  clock: { now(): number };
  log: Pick<Logger, 'warn'>;
  settings: { secretsKeys: SecretsKeys; publicUrl: string };
  /** Checks a console session, which can open a call without a token. */
  authentication: Pick<Authentication, 'sessionOf' | 'sessionTokenOf'>;
  /** Tells whether notifications are being received, because those sent earlier would be missed. */
  isSubscribed: () => Promise<boolean>;
  joined: () => void;
  left: (drop: Drop | null) => void;
}

interface Admitted {
  callId: string;
  after: number;
  /** The token of the console session; null if the URL was signed. */
  session: string | null;
}

type Joining = Omit<Admitted, 'callId'> & { call: CaptionedCall; notificationsBefore: number; left: Release };

/** Listeners have nothing to send, so this can be small. */
const MOST_BYTES = 16 * 1024;

export class Handshake {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression would keep about 300 kB per listener.
    perMessageDeflate: false,
    maxPayload: MOST_BYTES,
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

  private async admit(request: IncomingMessage): Promise<Admitted> {
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
    { callId, after, session }: Admitted,
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
