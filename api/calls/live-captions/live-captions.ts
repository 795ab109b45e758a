/** Live captions of one API process: WebSockets on the API's server, and one connection that receives the notifications of all processes. */
import type { Logger } from 'pino';
import { notify } from '../../../db/calls/live-captions';
import { Notifications } from '../../../db/kernel/notifications';
import type { Db } from '../../../db/kernel/connection';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import { openSessions } from '../../../db/organizations/console-tokens';
import type { LiveUpdate } from '../../../domain/live-updates';
import { Authentication } from '../../http/auth/api-key';
import type { CaptionMetrics } from '../../http/metrics';
import type { Upgrades } from '../../http/server';
import { CLOSE_TIMEOUT_MS } from './audience';
import { Admission, ADMISSION_LIMITS, Handshake, type AdmissionLimits } from './handshake';
import { CaptionsHub } from './hub';
import { Interest, UpdateRelay } from './relay';
import { CAPTIONS_PATH } from './url';

export interface LiveCaptionsDependencies {
  db: Db;
  databaseUrl: string;
  clock: { now(): number };
  log: Pick<Logger, 'warn'>;
  metrics: CaptionMetrics;
  settings: { secretsKeys: SecretsKeys; publicUrl: string; trustedProxies: string[] };
  limits?: Partial<AdmissionLimits>;
  /** How often listeners are pinged. */
  pingMs?: number;
}

const PING_MS = 20_000;
/** Well within the lifetime of a registration. */
const RENEW_MS = 20_000;
const SUBSCRIBE_TIMEOUT_MS = 2_500;
const CHECK_GONE_EVERY_MS = 20;

const CHANNELS = {
  /** Sent by the triggers in `db/functions/notify_segments.sql` and `notify_call.sql`. */
  segments: 'captions',
  updates: 'captions_live',
  interest: 'captions_wanted',
} as const;

export class LiveCaptions {
  readonly upgrades: Upgrades = {
    takes: (url) => url.startsWith(CAPTIONS_PATH),
    take: (request, socket, head) => void this.handshake.take(request, socket, head),
  };
  private readonly hub: CaptionsHub;
  private readonly handshake: Handshake;
  private readonly interest: Interest;
  private readonly relay: UpdateRelay;
  private readonly notifications: Notifications;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly renewal: NodeJS.Timeout;

  constructor(private readonly deps: LiveCaptionsDependencies) {
    const { db, clock, databaseUrl, metrics } = deps;
    this.hub = new CaptionsHub({ db, clock, onWanted: (callId) => this.interest.publish(callId) });
    this.interest = new Interest({
      callIds: () => this.hub.callIds,
      publish: (payloads) => void this.publish(CHANNELS.interest, payloads),
    });
    this.relay = new UpdateRelay({
      isWanted: (callId) => this.isWanted(callId),
      publish: (payloads) => this.publish(CHANNELS.updates, payloads),
    });
    this.notifications = new Notifications({
      url: databaseUrl,
      channels: Object.values(CHANNELS),
      applicationName: 'api captions',
      onNotification: (channel, payload) => this.receive(channel, payload),
      onSubscribed: () => {
        this.hub.readAll();
        this.interest.requestLists();
        void this.renew();
      },
    });
    this.handshake = new Handshake({
      ...deps,
      hub: this.hub,
      authentication: new Authentication(deps),
      admission: new Admission({ ...ADMISSION_LIMITS, ...deps.limits }),
      isSubscribed: () => this.notifications.ready(SUBSCRIBE_TIMEOUT_MS),
      joined: () => metrics.captionListenerCame(),
      left: (drop) => metrics.captionListenerLeft(drop),
    });
    this.heartbeat = setInterval(() => this.beat(), deps.pingMs ?? PING_MS).unref();
    this.renewal = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  start(): void {
    this.notifications.start();
  }

  /** Returns true if the call has listeners in any process. */
  isWanted(callId: string): boolean {
    return this.hub.has(callId) || this.interest.isWantedElsewhere(callId);
  }

  /** Relays the agent's live updates of a call. Returns false if the call has no listeners. */
  take(callId: string, updates: readonly LiveUpdate[]): boolean {
    return this.relay.take(callId, updates);
  }

  /** Makes listeners reconnect (close code 1012). They reach another process and resume where they stopped. */
  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    clearInterval(this.renewal);
    this.interest.close();
    this.handshake.close();
    this.hub.close();
    const until = performance.now() + CLOSE_TIMEOUT_MS;
    while (performance.now() < until && [...this.hub.listeners()].length > 0)
      await new Promise((resolve) => setTimeout(resolve, CHECK_GONE_EVERY_MS));
    await this.notifications.stop();
  }

  private receive(channel: string, payload: string): void {
    if (channel === CHANNELS.segments) this.hub.receive(payload);
    else if (channel === CHANNELS.updates) this.hub.receiveUpdates(payload);
    else if (channel === CHANNELS.interest) this.interest.receive(payload);
  }

  private beat(): void {
    for (const listener of this.hub.listeners()) listener.beat();
    // If Postgres is down, the next beat checks them.
    this.closeEndedSessions().catch(() => undefined);
  }

  /** Disconnects listeners whose session or key has ended. */
  private async closeEndedSessions(): Promise<void> {
    const listeners = [...this.hub.listeners()].filter(({ session }) => session !== null);
    if (listeners.length === 0) return;
    const tokens = [...new Set(listeners.flatMap(({ session }) => session ?? []))];
    const open = await openSessions(this.deps.db, tokens, this.deps.clock.now());
    for (const listener of listeners) {
      if (listener.session !== null && !open.has(listener.session)) listener.close('session ended');
    }
  }

  /** If Postgres is down, `onSubscribed` renews once it is back. */
  private async renew(): Promise<void> {
    await this.hub.renew().catch(() => undefined);
  }

  /** Ignores errors, because each notification is either repeated or soon outdated. */
  private async publish(channel: string, payloads: readonly string[]): Promise<void> {
    await notify(this.deps.db, channel, payloads).catch(() => undefined);
  }
}
