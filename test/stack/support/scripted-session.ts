/**
 * A session with an agent in the console, without a media server. The browser, page and WebSocket are real. The test simulates the server,
 * the room and the platform.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import Koa from 'koa';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { CONSOLE_FOLDER, consoleRoutes } from '../../../api/console/route';
import type { ApiState } from '../../../api/http/context';

/** Fake of the part of LiveKit's client that the page uses. */
const LIVEKIT = `
class Emitter {
  handlers = {};
  on(name, handler) { (this.handlers[name] ??= []).push(handler); return this; }
  emit(name, ...args) { for (const handler of this.handlers[name] ?? []) handler(...args); }
}
const named = new Proxy({}, { get: (_target, name) => name });
export class Room extends Emitter {
  remoteParticipants = new Map();
  state = 'Connected';
  canPlaybackAudio = true;
  published = [];
  sent = [];
  localParticipant = {
    identity: 'web-user',
    publishTrack: async (track) => this.published.push(track),
    sendText: async (text, { topic }) => this.sent.push([topic, text]),
  };
  constructor() { super(); globalThis.room = this; }
  async connect() { this.emit('Connected'); }
  disconnect() { this.emit('Disconnected', 'CLIENT_INITIATED'); }
}
export {
  named as RoomEvent, named as ConnectionState, named as DisconnectReason,
};
export const Track = { Kind: named, Source: named };
export const createLocalAudioTrack = () =>
  Promise.reject(Object.assign(new Error(), { name: 'NotFoundError' }));`;

const SESSION = {
  organization: 'Clinic',
  key_name: 'tests',
  scopes: ['read', 'operate'],
  csrf_token: 'c',
  expires_at: '2026-11-02T17:00:00.000Z',
  workflow_pages: null,
};
const CALL = {
  call_id: 'room_1',
  call_status: 'User disconnected',
  duration_ms: 65_000,
  Start_time: '2026-11-02T05:00:00.000Z',
  End_time: '2026-11-02T05:02:00.000Z',
};
const DISPATCHED = {
  token: 't',
  room_name: 'room_1',
  connection_url: 'ws://rtc.example.test',
  live_captions_url: 'wss://calls.example.test/api/live-transcripts/ws/token/room_1',
};

const SEGMENT = { timestamp: Date.parse(CALL.Start_time) / 1000, was_interrupted: false };
const INTERRUPTED = ' (interrupted)';

export class ScriptedSession {
  /** URLs from which the page requested captions. */
  readonly addresses: string[] = [];
  /** Script errors on the page. */
  readonly faults: string[] = [];
  private socket: WebSocketRoute | null = null;
  private seq = 0;

  private constructor(
    readonly page: Page,
    private readonly server: Server,
  ) {}

  static async open(browser: Browser): Promise<ScriptedSession> {
    const app = new Koa<ApiState>().use(consoleRoutes({ livekit: null }, CONSOLE_FOLDER).routes());
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await (await browser.newContext()).newPage();
    const session = new ScriptedSession(page, server);
    await session.script();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/console/try`);
    return session;
  }

  async close(): Promise<void> {
    await this.page.context().close();
    this.server.close();
    this.server.closeAllConnections();
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name }).click();
  }

  /** Starts a session by text, with captions connected and the agent in the room. */
  async typeInstead(speech: object | null = null): Promise<void> {
    await this.press('Type instead');
    await this.page.getByText('Waiting for Asha').waitFor();
    await this.page.evaluate(
      (attribute) => {
        const { room } = globalThis as any;
        room.remoteParticipants.set('agent', {
          attributes: attribute === null ? {} : { 'platform.speech': attribute },
        });
        room.emit('ParticipantConnected');
      },
      speech && JSON.stringify(speech),
    );
    await this.page.getByText('You are writing to Asha.').waitFor();
  }

  send(frame: object): void {
    this.socket?.send(JSON.stringify(frame));
  }

  say(speaker: 'agent' | 'user', text: string, more: object = {}): void {
    const segment = { ...SEGMENT, speaker, text, is_final: true, seq: (this.seq += 1), ...more };
    this.send({ type: 'transcript', segment });
  }

  saying(speaker: 'agent' | 'user', text: string): void {
    const segment = { ...SEGMENT, speaker, text, is_final: false, seq: null };
    this.send({ type: 'transcript', segment });
  }

  /** Closes the captions connection. Resolves once the page has reconnected, unless the code forbids that. */
  async cut(code: number): Promise<void> {
    const before = this.addresses.length;
    await this.socket?.close({ code });
    if (code !== 1000) while (this.addresses.length === before) await this.page.waitForTimeout(10);
  }

  /** Returns the lines of the conversation with their speakers, from top to bottom. Interim text is in brackets. */
  async conversation(): Promise<string[]> {
    const lines = await this.page
      .getByRole('log')
      .locator('li')
      .evaluateAll((all: any[]) =>
        all.map((line) => ({
          who: line.querySelector('.by').textContent as string,
          said: line.querySelector('.line > :last-child').textContent as string,
          isInterim: line.getAttribute('aria-busy') === 'true',
        })),
      );
    return lines.map(({ who, said, isInterim }) => {
      const cut = said.endsWith(INTERRUPTED) ? INTERRUPTED : '';
      const text = said.slice(0, said.length - cut.length);
      return `${who}: ${isInterim ? `[${text}]` : text}${cut}`;
    });
  }

  /** Returns what the page sent to the room. */
  sent(): Promise<[topic: string, text: string][]> {
    return this.page.evaluate(() => (globalThis as any).room.sent);
  }

  private async script(): Promise<void> {
    const { page } = this;
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    await page.route('**/console/assets/livekit-client*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: LIVEKIT }),
    );
    const answers = {
      'console/session': SESSION,
      'agents*': [{ id: 'a', display_name: 'Asha' }],
      'trigger-call/': DISPATCHED,
      'call-history*': { data: [CALL] },
    };
    for (const [path, json] of Object.entries(answers))
      await page.route(`**/api/${path}`, (route) => route.fulfill({ json }));
    await page.routeWebSocket(/live-transcripts/, (socket) => {
      this.socket = socket;
      this.addresses.push(socket.url());
      this.send({ type: 'connected', call_status: 'in progress', answered_at: CALL.Start_time });
      this.send({ type: 'history', segments: [] });
    });
  }
}
