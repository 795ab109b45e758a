/** Fakes the API for the agent over real HTTP: call contexts, events and recordings. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The secret shared by all agents. */
export const SECRET = 'a-secret-of-the-agents';
export const TICKET = 'ticket-of-the-job';
export const tokenOf = (callId: string): string => `token-of-${callId}`;

export interface ReceivedEvent {
  event_id: string;
  type: string;
  [field: string]: any;
}

interface Taken {
  status: number;
  body?: object;
}

export class FakePlatform {
  /** Responses of `GET /api/carrier/calls/{id}` by call id. An unknown id returns 404. */
  readonly callContexts = new Map<string, object | 'over'>();
  /** In the order in which the fake accepted them. */
  readonly events: ReceivedEvent[] = [];
  /** Live updates. They are not part of the call's record. */
  readonly live: ReceivedEvent[] = [];
  /** Returned as `wanted` for live updates. */
  hasListeners = false;
  readonly recordings = new Map<string, Buffer>();
  /** The claims of each call, by call id. */
  readonly claims = new Map<string, string[]>();
  /** Ids of calls, and names of inbound calls' rooms, that another agent has claimed. */
  readonly taken = new Set<string>();
  /** The response to an `inbound` event. The fake adds the token of its call. */
  inbound: object = { accept: false, say: 'nobody is here' };
  /** The transfer requests, and the response to them. */
  readonly transfers: { callId: string; to: string }[] = [];
  transfer: object = { transfer: false, reason: 'destination' };
  transferStatus = 200;
  /** Secret headers by action name. Other actions are rejected. */
  readonly actionSecrets = new Map<string, object>();
  /** Statuses of the next responses to events. These events are not accepted; 0 resets the connection. */
  nextStatuses: number[] = [];
  /** Number of events to accept while resetting the connection in place of a response. */
  dropResponses = 0;
  /** Statuses of the next responses to requests for a call context. */
  nextContextStatuses: number[] = [];
  /** Statuses of the next responses to recordings. These recordings are not stored. */
  nextRecordingStatuses: number[] = [];
  onRecording: () => void = () => undefined;
  onEvent: (event: ReceivedEvent) => void = () => undefined;
  private readonly waiters = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<FakePlatform> {
    const server = createServer();
    const platform = new FakePlatform(server);
    server.on('request', (request, response) => void platform.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  /** Resolves once the condition holds. Checks it after every request. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiters.add(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const status = this.take(request, body);
    if (status.status === 0) request.socket.destroy();
    else
      response
        .writeHead(status.status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(status.body ?? {}));
    const checks = [...this.waiters];
    this.waiters.clear();
    for (const check of checks) check();
  }

  private take({ method, url = '', headers }: IncomingMessage, body: Buffer): Taken {
    const [, callId = '', rest] = /^\/api\/carrier\/calls\/([^/]+)(\/[\w-]+)?$/.exec(url) ?? [];
    const isShared = url === '/api/carrier/callers' || rest === '/claim';
    const secret = isShared ? SECRET : tokenOf(decodeURIComponent(callId));
    if (headers.authorization !== `Bearer ${secret}`) return { status: 403 };
    if (rest === '/claim') return this.takeClaim(callId, JSON.parse(body.toString()));
    if (rest === '/action-secrets') {
      const { action } = JSON.parse(body.toString());
      const headers = this.actionSecrets.get(action);
      return headers === undefined ? { status: 422 } : { status: 200, body: { headers } };
    }
    if (rest === '/transfer') {
      this.transfers.push({ callId, ...JSON.parse(body.toString()) });
      return { status: this.transferStatus, body: this.transfer };
    }
    if (method === 'PUT') {
      this.onRecording();
      const trouble = this.nextRecordingStatuses.shift();
      if (trouble !== undefined) return { status: trouble };
      this.recordings.set(callId, body);
      return { status: 204 };
    }
    if (method === 'GET') {
      const trouble = this.nextContextStatuses.shift();
      if (trouble !== undefined) return { status: trouble };
      return this.answerFor(callId) ?? { status: 200, body: this.callContexts.get(callId) as object };
    }
    const trouble = this.nextStatuses.shift();
    if (trouble !== undefined) return { status: trouble };
    const event: ReceivedEvent = JSON.parse(body.toString());
    if (event.type === 'live') {
      this.live.push(event);
      return { status: 200, body: { accepted: true, wanted: this.hasListeners } };
    }
    this.events.push(event);
    this.onEvent(event);
    if (event.type === 'inbound' && this.taken.has(event.carrier_id)) return { status: 409 };
    if (this.dropResponses > 0) {
      this.dropResponses -= 1;
      return { status: 0 };
    }
    return { status: 200, body: event.type === 'inbound' ? this.answerToCaller() : { accepted: true } };
  }

  private answerToCaller(): object {
    const reference: unknown = 'reference' in this.inbound ? this.inbound.reference : undefined;
    return typeof reference === 'string' ? { ...this.inbound, token: tokenOf(reference) } : this.inbound;
  }

  private takeClaim(callId: string, { ticket, claim }: { ticket: string; claim: string }): Taken {
    this.claims.set(callId, [...(this.claims.get(callId) ?? []), claim]);
    if (ticket !== TICKET) return { status: 403 };
    const trouble = this.nextContextStatuses.shift();
    if (trouble !== undefined) return { status: trouble };
    return this.answerFor(callId) ?? { status: 200, body: { token: tokenOf(callId) } };
  }

  /** Returns the response for a call that is over or taken by another agent, otherwise null. */
  private answerFor(callId: string): Taken | null {
    if (this.taken.has(callId)) return { status: 409 };
    const callContext = this.callContexts.get(callId);
    if (callContext === undefined) return { status: 404 };
    return callContext === 'over' ? { status: 410 } : null;
  }
}

export const callContextOf = (callId: string, changes: object = {}): object => ({
  call_id: callId,
  medium: 'telephony',
  direction: 'Outbound',
  agent: {
    name: 'Collections',
    config: {
      persona: { identity: { greeting_message: { agent_message: 'Hello {{name}}, from {{city}}{{x}}.' } } },
    },
  },
  variables: { name: 'Asha', city: 'Pune' },
  session: null,
  max_talk_s: 600,
  ring_timeout_s: 30,
  amd: false,
  ...changes,
});
