/** Live captions of one API process: sockets on the server of the API, and one connection on which it hears what all processes write. */
import type { Logger } from 'pino';
import type { Db } from '../../../db/kernel/connection';
import { notify } from '../../../db/calls/live-captions';
import { Notifications } from '../../../db/campaigns/notifications';
import type { LiveNewsItem } from '../../../workflows/domain/live-news';
import { CAPTIONS_PATH } from '../captions-url';
import type { CaptionMetrics } from '../../http/observability/caption-metrics';
import type { Upgrades } from '../../http/upgrades';
import { Admission, ADMISSION_LIMITS, type AdmissionLimits } from './admission';
import { Handshake } from './handshake';
import { CaptionsHub } from './hub';
import { Interest } from './interest';
import { CLOSE_WITHIN_MS } from './listener';
import { NewsDesk } from './news-desk';

export interface LiveCaptionsDependencies {
  db: Db;
  databaseUrl: string;
  clock: { now(): number };
  log: Pick<Logger, 'warn'>;
  metrics: CaptionMetrics;
  settings: { secretsKey: Buffer };
  limits?: Partial<AdmissionLimits>;
  /** How often listeners are asked for a sign of life. */
  pingMs?: number;
}

const PING_MS = 20_000;
/** Well within the time for which a registration holds. */
const RENEW_MS = 20_000;
const HEARING_WITHIN_MS = 2_500;
const LOOK_WHETHER_GONE_MS = 20;

const CHANNELS = {
  /** By the triggers of `db/functions/tell_segments.sql` and `tell_call.sql`. */
  segments: 'captions',
  news: 'captions_live',
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
  private readonly desk: NewsDesk;
  private readonly notifications: Notifications;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly renewal: NodeJS.Timeout;

  constructor(private readonly deps: LiveCaptionsDependencies) {
    const { db, clock, databaseUrl, metrics } = deps;
    this.hub = new CaptionsHub({ db, clock, onWanted: (callId) => this.interest.tell(callId) });
    this.interest = new Interest({
      callIds: () => this.hub.callIds,
      tell: (payloads) => void this.tell(CHANNELS.interest, payloads),
    });
    this.desk = new NewsDesk({
      isWanted: (callId) => this.isWanted(callId),
      tell: (payloads) => this.tell(CHANNELS.news, payloads),
    });
    this.notifications = new Notifications({
      url: databaseUrl,
      channels: Object.values(CHANNELS),
      applicationName: 'api captions',
      onNotification: (channel, payload) => this.hear(channel, payload),
      onHearing: () => {
        this.hub.readAll();
        this.interest.ask();
        void this.renew();
      },
    });
    this.handshake = new Handshake({
      ...deps,
      hub: this.hub,
      admission: new Admission({ ...ADMISSION_LIMITS, ...deps.limits }),
      isHearing: () => this.notifications.ready(HEARING_WITHIN_MS),
      joined: () => metrics.captionListenerCame(),
      left: (drop) => metrics.captionListenerLeft(drop),
    });
    this.heartbeat = setInterval(() => this.beat(), deps.pingMs ?? PING_MS).unref();
    this.renewal = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  start(): void {
    this.notifications.start();
  }

  /** Whether anybody listens to the call, in any process. */
  isWanted(callId: string): boolean {
    return this.hub.has(callId) || this.interest.isWantedElsewhere(callId);
  }

  /** What the agent tells of a call that goes on. Answers whether anybody listens. */
  take(callId: string, news: readonly LiveNewsItem[]): boolean {
    return this.desk.take(callId, news);
  }

  /** Listeners are told to come back, which they do to another process, from where they are. */
  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    clearInterval(this.renewal);
    this.interest.close();
    this.handshake.close();
    this.hub.close();
    const until = performance.now() + CLOSE_WITHIN_MS;
    while (performance.now() < until && [...this.hub.listeners()].length > 0)
      await new Promise((resolve) => setTimeout(resolve, LOOK_WHETHER_GONE_MS));
    await this.notifications.stop();
  }

  private hear(channel: string, payload: string): void {
    if (channel === CHANNELS.segments) this.hub.hear(payload);
    else if (channel === CHANNELS.news) this.hub.hearNews(payload);
    else if (channel === CHANNELS.interest) this.interest.hear(payload);
  }

  private beat(): void {
    for (const listener of this.hub.listeners()) listener.beat();
  }

  /** Where Postgres is away it is renewed when that is back. */
  private async renew(): Promise<void> {
    await this.hub.renew().catch(() => undefined);
  }

  /** What cannot be told is lost: all of it is told again, or worth nothing by then. */
  private async tell(channel: string, payloads: readonly string[]): Promise<void> {
    await notify(this.deps.db, channel, payloads).catch(() => undefined);
  }
}
