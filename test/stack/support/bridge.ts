/**
 * Runs the SIP stand-in in front of a real LiveKit server, without the platform. Tests send it requests and check what LiveKit reports.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SIPOutboundConfig } from '@livekit/protocol';
import {
  RoomServiceClient,
  SipClient,
  WebhookReceiver,
  type ParticipantInfo,
  type WebhookEvent,
} from 'livekit-server-sdk';
import { removeFolder } from '../../../dev/remove-folder';
import { ClosingOrder } from '../../../dev/stack/closing';
import { livekitAccess, MediaServers } from '../../../dev/stack/media-servers';
import type { LivekitAccess } from '../../../dev/stack/platform-environment';
import type { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { ANY_PORTS, givePorts } from '../../../dev/stack/ports';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { askToHangUp } from '../../../runtime/network/ask-participant';
import { published } from '../../servers/published';
import { CarrierLog } from './carrier-log';
import { eventually } from './eventually';

const SECRET = 'the secret of the stand-in';
const TRUNK = new SIPOutboundConfig({ hostname: 'trunk.invalid' });

export interface Placed {
  room: string;
  number: string;
}

export class Bridge {
  private calls = 0;

  private constructor(
    private readonly access: LivekitAccess,
    readonly sip: SipClient,
    readonly rooms: RoomServiceClient,
    readonly standIn: RunningProcess,
    readonly livekit: RunningProcess,
    private readonly log: string,
    private readonly events: readonly WebhookEvent[],
    private readonly closing: ClosingOrder,
  ) {}

  static async open(times: { ringMs: number; talkMs: number; ringCapMs: number }): Promise<Bridge> {
    const closing = new ClosingOrder();
    const folder = join(published('TEST_SERVERS_FOLDER'), `bridge-${randomBytes(4).toString('hex')}`);
    await mkdir(join(folder, 'run'), { recursive: true });
    closing.add('the folder', () => removeFolder(folder));
    const watchdog = startWatchdog();
    closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
    const { media: ports } = await givePorts(ANY_PORTS, true, closing);
    if (ports === null) throw new Error('no ports were assigned');
    const access = livekitAccess(ports, { carrierSecret: SECRET, secretsKey: '' });
    const receiver = new WebhookReceiver(access.apiKey, access.apiSecret);
    const events: WebhookEvent[] = [];
    const server = http.createServer((request, response) => void take(receiver, events, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.add('the receiver', () => new Promise((resolve) => server.close(() => resolve())));
    const servers = new MediaServers({
      repository: repositoryRoot(),
      folder,
      tools: {
        livekitServer: published('TEST_LIVEKIT_SERVER'),
        redisServer: published('TEST_REDIS_SERVER'),
      },
      ports,
      access,
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      environment: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        CARRIER_SECRET: SECRET,
        LIVEKIT_API_KEY: access.apiKey,
        LIVEKIT_API_SECRET: access.apiSecret,
        SIMULATOR_RING_MS: String(times.ringMs),
        SIMULATOR_TALK_MS: String(times.talkMs),
        SIMULATOR_RING_CAP_MS: String(times.ringCapMs),
      },
      overrides: {},
      supervision: { logFolder: join(folder, 'logs'), runFolder: join(folder, 'run'), watchdog },
    });
    const log = join(folder, 'sip-stand-in.jsonl');
    const standIn = servers.sipStandIn(log);
    const livekit = servers.livekit();
    for (const process of [servers.redis(), livekit, standIn]) {
      closing.add(process.name, () => process.stop());
      await process.start();
    }
    const { url, apiKey, apiSecret } = access;
    const sip = new SipClient(url, apiKey, apiSecret, { failover: false });
    const rooms = new RoomServiceClient(url, apiKey, apiSecret, { failover: false });
    return new Bridge(access, sip, rooms, standIn, livekit, log, events, closing);
  }

  get url(): string {
    return this.access.url;
  }

  /** Returns an unused number with that ending, and a new room name. */
  next(ending: number): Placed {
    this.calls += 1;
    const number = `+9161${String(this.calls).padStart(6, '0')}${String(ending).padStart(2, '0')}`;
    return { number, room: `room-${this.calls}` };
  }

  /** Returns the response that confirms the hang-up. */
  hangUp(placed: Placed) {
    return askToHangUp(this.access, { room: placed.room, identity: 'callee' }, this.left(placed.room));
  }

  dial({ number, room }: Placed, more: Parameters<SipClient['createSipParticipant']>[3] = {}) {
    const options = {
      participantIdentity: 'callee',
      fromNumber: '+911140000000',
      waitUntilAnswered: true,
      ringingTimeout: 10,
      maxCallDuration: 60,
      ...more,
    };
    return this.sip.createSipParticipant('', number, room, options, TRUNK);
  }

  /** Dials and returns the error. Fails if the dial succeeds. */
  async refused(placed: Placed, more: Parameters<Bridge['dial']>[1] = {}): Promise<any> {
    return this.dial(placed, more).then(
      () => Promise.reject(new Error('the call was answered')),
      (error: unknown) => error,
    );
  }

  async callIn(to: string, from: string): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.url}/inbound-calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, from }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Waits until the participant has left, and returns it as LiveKit reported it then. */
  left(room: string): Promise<ParticipantInfo> {
    return eventually(20_000, () => {
      const event = this.events.find((each) => each.event === 'participant_left' && each.room?.name === room);
      if (event?.participant === undefined) throw new Error(`no participant has left ${room}`);
      return event.participant;
    });
  }

  carrier(number: string): CarrierLog {
    return CarrierLog.read(this.log, [number]);
  }

  /** Returns the states of the calls to a number. The final one includes the reason for the end. */
  states(number: string): string[] {
    return this.carrier(number).entries.flatMap((entry) =>
      entry.kind === 'state'
        ? [entry.end_reason === null ? entry.state : `${entry.state}: ${entry.end_reason}`]
        : [],
    );
  }

  async stats(): Promise<any> {
    return (await fetch(`${this.url}/stats`)).json();
  }

  close(): Promise<void> {
    return this.closing.close();
  }
}

async function take(
  receiver: WebhookReceiver,
  events: WebhookEvent[],
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  events.push(
    await receiver.receive(Buffer.concat(chunks).toString('utf8'), request.headers.authorization, true),
  );
  response.end();
}
