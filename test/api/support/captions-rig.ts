/** An API with live captions, and a carrier that sends it events. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { Registry } from 'prom-client';
import { captionsUrl } from '../../../api/calls/live-captions/url';
import { LiveCaptions } from '../../../api/calls/live-captions/live-captions';
import { apiMetrics } from '../../../api/http/metrics';
import { ApiServer } from '../../../api/http/server';
import { CaptionListener, type ListenerOptions } from './caption-listener';
import { newAgent, newCall } from './rows';
import { MONDAY, openTestApi, type Answer, type TestApi, type TestApiOptions } from './test-api';

const SECRET = 'a-secret-of-the-carrier';
export const ANSWERED_AT = MONDAY - 60_000;
/** Default time of events. */
const AT = '2026-11-02T05:00:00.000Z';

export type OtherProcess = Awaited<ReturnType<CaptionsRig['openOther']>>;

export class CaptionsRig {
  private readonly listeners: CaptionListener[] = [];

  private constructor(
    readonly api: TestApi,
    private readonly agentId: string,
  ) {}

  /** Allows three listeners per call unless `captions` sets other limits. */
  static async open(
    captions: NonNullable<TestApiOptions['captions']> = {},
    settings: TestApiOptions['settings'] = {},
  ): Promise<CaptionsRig> {
    const api = await openTestApi({
      settings,
      carrierSecret: SECRET,
      captions: { limits: { perCall: 3 }, ...captions },
    });
    return new CaptionsRig(api, await newAgent(api));
  }

  close(): Promise<void> {
    return this.api.close();
  }

  hangUp(): void {
    for (const listener of this.listeners.splice(0)) listener.close();
  }

  live(row: object = {}): Promise<string> {
    return newCall(this.api, {
      agent_id: this.agentId,
      stage: 'placed',
      call_status: 'in progress',
      answered_at: new Date(ANSWERED_AT),
      ...row,
    });
  }

  addressOf(callId: string, at: { url: string } = this.api): string {
    return captionsUrl(
      { publicUrl: at.url, secretsKeys: this.api.secretsKeys },
      callId,
      this.api.clock.now(),
    );
  }

  async listen(address: string, options?: ListenerOptions): Promise<CaptionListener> {
    const listener = await CaptionListener.open(address, options);
    this.listeners.push(listener);
    return listener;
  }

  send(callId: string, fields: object): Promise<Answer> {
    const event = { event_id: randomUUID(), carrier_id: `c-${callId}`, reference: callId, at: AT, ...fields };
    return this.api.ask('/api/carrier/events', {
      json: event,
      as: null,
      headers: { Authorization: `Bearer ${SECRET}` },
    });
  }

  say(callId: string, startMs: number, fields: object = {}): Promise<Answer> {
    const said = { speaker: 'user', text: `said at ${startMs}`, start_ms: startMs, end_ms: startMs + 900 };
    return this.send(callId, { type: 'segment', ...said, ...fields });
  }

  update(callId: string, ...items: object[]): Promise<Answer> {
    const news = items.map((item) => ({ at: '2026-11-02T05:00:01.500Z', ...item }));
    return this.send(callId, { type: 'live', news });
  }

  end(callId: string): Promise<Answer> {
    return this.send(callId, { type: 'ended', end_reason: 'callee' });
  }

  /** Starts the captions of a second process on the same database. */
  async openOther() {
    const registry = new Registry();
    const captions = new LiveCaptions({
      db: this.api.db,
      databaseUrl: this.api.databaseUrl,
      clock: this.api.clock,
      log: pino({ level: 'silent' }),
      metrics: apiMetrics(registry),
      settings: { secretsKeys: this.api.secretsKeys, publicUrl: this.api.url, trustedProxies: [] },
    });
    captions.start();
    const server = new ApiServer((_request, response) => response.end(), {}, captions.upgrades);
    server.http.listen(0, '127.0.0.1');
    await once(server.http, 'listening');
    return {
      url: `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`,
      captions,
      scrape: () => registry.metrics(),
      close: () => Promise.all([captions.close(), server.close()]),
    };
  }
}
