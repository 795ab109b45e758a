/**
 * Fakes the part of LiveKit's server API that the telephony port uses, over real HTTP with real tokens. The rooms record what was done to
 * them.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TokenVerifier, type ClaimGrants } from 'livekit-server-sdk';

export const KEY = { apiKey: 'devkey', apiSecret: 'a secret of more than thirty-two characters' };

const KINDS = { phone: 'SIP', browser: 'STANDARD', agent: 'AGENT' } as const;

export interface FakeParticipant {
  identity: string;
  kind: keyof typeof KINDS;
  attributes?: Record<string, string>;
  /**
   * How the participant replies to an RPC. Default: it doesn't support the method. `listed`: it is gone, but LiveKit still lists it. `dead`:
   * its process is gone, and the RPC times out.
   */
  replies?: 'answered' | 'unanswered' | 'listed' | 'dead';
  /** The participant's bridge dies before it hangs up. */
  diesAtHangUp?: boolean;
  /** The participant's phone rings, and its bridge is busy waiting for the answer, so it confirms no other request. */
  isBlocked?: boolean;
}

export interface FakeRoom {
  name: string;
  metadata: string;
  creationTimeMs: number;
  participants: FakeParticipant[];
  request: any;
}

export class TwirpFault extends Error {
  constructor(
    readonly code: string,
    readonly msg: string,
    readonly meta: Record<string, string> = {},
    readonly status = 500,
  ) {
    super(msg);
  }
}

/** The response to a call. `cut` closes the connection without a response. */
export type SipAnswer = 'answered' | 'cut' | TwirpFault;

export class FakeLiveKit {
  readonly rooms = new Map<string, FakeRoom>();
  readonly trunks = new Map<string, any>();
  readonly rules = new Map<string, any>();
  readonly dispatches: any[] = [];
  /** Every request with its method, oldest first. */
  readonly asked: { method: string; body: any; grants: ClaimGrants & { exp?: number } }[] = [];
  /** Whether a ready agent joins a new room immediately. */
  hasAgents = true;
  /** Jobs of the requested agents. */
  jobs: { id: string; state: { status: string } }[] = [];
  /** Numbers of the stored trunk. */
  outboundNumbers: string[] = [];
  answerCall: (request: any, room: FakeRoom) => Promise<SipAnswer> | SipAnswer = () => 'answered';
  /** Methods that must fail, with their fault. */
  readonly faults = new Map<string, TwirpFault>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  addRoom(name: string, participants: FakeParticipant[] = [], metadata = ''): FakeRoom {
    const room = { name, metadata, participants, creationTimeMs: Date.now(), request: null };
    this.rooms.set(name, room);
    return room;
  }

  methods(): string[] {
    return this.asked.map(({ method }) => method);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').split('/').pop() ?? '';
    if (request.method === 'GET') return void response.end('OK');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    try {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const verifier = new TokenVerifier(KEY.apiKey, KEY.apiSecret);
      const grants = await verifier.verify(token, '60s').catch(() => null);
      if (grants === null) throw new TwirpFault('unauthenticated', 'invalid token', {}, 401);
      this.asked.push({ method, body, grants });
      const fault = this.faults.get(method);
      if (fault !== undefined) throw fault;
      const answer = await this.handle(method, body);
      if (answer === 'cut') return void request.socket.destroy();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof TwirpFault)) throw error;
      response.writeHead(error.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: error.code, msg: error.msg, meta: error.meta }));
    }
  }

  private handle(method: string, body: any): any {
    switch (method) {
      case 'CreateRoom':
        return this.createRoom(body);
      case 'ListRooms':
        return {
          rooms: [...this.rooms.values()]
            .filter(({ name }) => body.names?.includes(name) ?? true)
            .map(wireRoom),
        };
      case 'DeleteRoom':
        if (!this.rooms.delete(body.room)) throw notFound('requested room does not exist');
        return {};
      case 'ListParticipants':
        return { participants: (this.rooms.get(body.room)?.participants ?? []).map(wireParticipant) };
      case 'PerformRpc':
        return this.performRpc(body);
      case 'UpdateRoomMetadata':
        this.room(body.room).metadata = body.metadata;
        return wireRoom(this.room(body.room));
      case 'CreateDispatch':
        this.dispatches.push(body);
        this.agentComes(this.room(body.room));
        return { id: 'AD_1', ...body };
      case 'ListDispatch':
        return { agentDispatches: [{ id: 'AD_1', room: body.room, state: { jobs: this.jobs } }] };
      case 'CreateSIPParticipant':
        return this.call(body);
      default:
        return this.handleRoute(method, body);
    }
  }

  private handleRoute(method: string, body: any): any {
    switch (method) {
      case 'CreateSIPInboundTrunk':
        return this.createTrunk(body.trunk);
      case 'ListSIPOutboundTrunk':
        return { items: [{ sipTrunkId: 'ST_1', numbers: this.outboundNumbers }] };
      case 'ListSIPInboundTrunk':
        return { items: [...this.trunks.values()] };
      case 'DeleteSIPTrunk':
        if (!this.trunks.delete(body.sipTrunkId)) throw notFound('requested sip trunk does not exist');
        return {};
      case 'CreateSIPDispatchRule': {
        const rule = { ...(body.dispatchRule ?? body), sipDispatchRuleId: `SDR_${randomUUID()}` };
        this.rules.set(rule.sipDispatchRuleId, rule);
        return rule;
      }
      case 'ListSIPDispatchRule':
        return { items: [...this.rules.values()] };
      case 'DeleteSIPDispatchRule':
        if (!this.rules.delete(body.sipDispatchRuleId)) throw notFound('no such rule');
        return {};
      default:
        throw new TwirpFault('bad_route', `no handler for ${method}`, {}, 404);
    }
  }

  private async performRpc({ room, destination_identity: identity, method }: any): Promise<any> {
    const participants = this.rooms.get(room)?.participants ?? [];
    const participant = participants.find((one) => one.identity === identity);
    if (method !== 'lk.sip.EndCall' || participant?.replies !== 'answered')
      return replyOf(participant, method);
    if (participant.diesAtHangUp === true) return replyOf({ ...participant, replies: 'dead' }, method);
    participants.splice(participants.indexOf(participant), 1);
    // Behaves like LiveKit 1.13.5, which gives up after 2 s.
    await this.untilRequested('DeleteRoom');
    return replyOf({ ...participant, replies: 'listed' }, method);
  }

  private async untilRequested(method: string): Promise<void> {
    while (!this.methods().includes(method)) await sleep(5);
  }

  private createRoom(request: any): any {
    const existing = this.rooms.get(request.name);
    if (existing !== undefined) return wireRoom(existing);
    const room = this.addRoom(request.name, [], request.metadata ?? '');
    room.request = request;
    // Build the response before the agent joins.
    const answer = wireRoom(room);
    if ((request.agents ?? []).length > 0) this.agentComes(room);
    return answer;
  }

  private agentComes(room: FakeRoom): void {
    if (!this.hasAgents) return;
    room.participants.push({ identity: 'agent-1', kind: 'agent', attributes: { 'platform.ready': 'true' } });
  }

  private async call(request: any): Promise<any> {
    const answer = await this.answerCall(request, this.room(request.roomName));
    if (answer === 'cut') return 'cut';
    if (answer instanceof TwirpFault) throw answer;
    return {
      participantId: 'PA_1',
      participantIdentity: request.participantIdentity,
      roomName: request.roomName,
    };
  }

  private createTrunk(trunk: any): any {
    const isTaken = [...this.trunks.values()].some(({ numbers }) => numbers.includes(trunk.numbers[0]));
    if (isTaken) throw new TwirpFault('invalid_argument', 'Conflicting inbound SIP Trunks', {}, 400);
    const stored = { ...trunk, sipTrunkId: `ST_${randomUUID()}` };
    this.trunks.set(stored.sipTrunkId, stored);
    return stored;
  }

  private room(name: string): FakeRoom {
    const room = this.rooms.get(name);
    if (room === undefined) throw notFound('requested room does not exist');
    return room;
  }
}

/** Replies like server-sdk-go 2.16.7 in livekit-sip 1.10.0, which handles one request at a time. */
function replyOf(participant: FakeParticipant | undefined, method: string): any {
  if (participant === undefined) throw notFound('participant does not exist');
  const asksAnswer = method === 'lk.sip.GetRemoteHeaders';
  switch (participant.replies) {
    case 'listed':
      throw new TwirpFault('unavailable', 'twirp error unknown: no response from servers', {}, 503);
    case 'dead':
      throw rpcError(1501, 'Connection timeout');
    case 'answered':
      if (asksAnswer) return { payload: '{"headers":{"Call-ID":"x"}}' };
      break;
    case 'unanswered':
      if (participant.isBlocked === true) throw rpcError(1501, 'Connection timeout');
      participant.isBlocked = asksAnswer;
      if (asksAnswer) throw rpcError(1502, 'Response timeout');
      break;
    case undefined:
      break;
  }
  throw new TwirpFault('invalid_argument', 'RpcError 1400: Method not supported at destination', {}, 400);
}

const rpcError = (code: number, text: string): TwirpFault =>
  new TwirpFault('canceled', `twirp error unknown: RpcError ${code}: ${text}`, {}, 408);

const notFound = (msg: string): TwirpFault => new TwirpFault('not_found', msg, {}, 404);

const wireRoom = ({ name, metadata, creationTimeMs, participants }: FakeRoom): any => ({
  sid: `RM_${name}`,
  name,
  metadata,
  numParticipants: participants.length,
  creationTimeMs: String(creationTimeMs),
});

const wireParticipant = ({ identity, kind, attributes = {} }: FakeParticipant): any => ({
  sid: `PA_${identity}`,
  identity,
  kind: KINDS[kind],
  state: 'ACTIVE',
  attributes,
});
