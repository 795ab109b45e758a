/**
 * Stands in for livekit-sip in front of a real LiveKit server: answers CreateSIPParticipant and TransferSIPParticipant in its stead and passes
 * everything else on. Phones are real participants of kind SIP. As with the simulator, whose table it shares, the number dialled chooses
 * what happens, and the log records it in the same form.
 *
 * Of that table these do not apply over SIP, and the number talks to the end: 94 and 99 (it sends no events: LiveKit and the agent do)
 * and 98 (it has no words). 90 answers as anybody does: the agent distinguishes machines from people. 93 cuts the reply's connection, and the
 * participant is in its room at once. The first digits of a caller's number are nothing to it, the last two choose who hangs up.
 *
 * It differs from the real one in what it cannot keep: calls end with it when it is killed, and its log says so when it is started again.
 */
import type { AddressInfo } from 'node:net';
import { SipClient } from 'livekit-server-sdk';
import { isoOf, systemClock } from '../simulator/clock';
import { Counters, type Stats } from '../simulator/counters';
import { replayLog } from '../simulator/history';
import { openSimulatorLog, readSimulatorLog, type SimulatorLog } from '../simulator/log';
import { parseInboundCall } from '../simulator/request-body';
import { matchCaller } from './dispatch-rules';
import { Proxy } from './proxy';
import { createStandInServer, type Answer, type Handler } from './server';
import type { StandInSettings } from './settings';
import { SipService, type ServiceAnswer } from './sip-service';
import { Switchboard } from './switchboard';

export interface StandIn {
  /** Port 0 is any free one; resolves to the port in use, rejects with EADDRINUSE. */
  listen(port: number): Promise<number>;
  stats(): Stats;
  close(): Promise<void>;
}

const CREATE = '/twirp/livekit.SIP/CreateSIPParticipant';
const TRANSFER = '/twirp/livekit.SIP/TransferSIPParticipant';

export function createStandIn(settings: StandInSettings): StandIn {
  const { livekitUrl, apiKey, apiSecret, timings } = settings;
  const clock = systemClock;
  const log = openSimulatorLog(settings.logPath);
  const counters = new Counters();
  const sip = new SipClient(livekitUrl, apiKey, apiSecret, { failover: false });
  const url = livekitUrl.replace(/^http/, 'ws');
  const server = { url, apiKey, apiSecret };
  const switchboard = new Switchboard({ clock, log, counters, timings, server });
  const service = new SipService({ apiKey, apiSecret, clock, log, counters, switchboard, sip });
  const proxy = new Proxy(livekitUrl);
  const handle: Handler = ({ method, path, authorization, body }) => {
    switch (`${method} ${path}`) {
      case `POST ${CREATE}`:
        return service.create(authorization, body).then(served);
      case `POST ${TRANSFER}`:
        return service.transfer(authorization, body).then(served);
      case 'GET /stats':
        return Promise.resolve({ status: 200, body: counters.stats() });
      case 'POST /inbound-calls':
        if (authorization !== `Bearer ${settings.secret}`) {
          return Promise.resolve({ status: 401, body: { code: 'UNAUTHORIZED' } });
        }
        return callIn(sip, switchboard, body);
      default:
        return null;
    }
  };
  const http = createStandInServer(handle, proxy);
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, settings.host, () => {
          http.off('error', reject);
          endEarlierCalls(settings.logPath, log, counters);
          resolve(portOf(http.address()));
        });
      }),
    stats: () => counters.stats(),
    async close() {
      await switchboard.close();
      proxy.close();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
      log.close();
    },
  };
}

const served = (answer: ServiceAnswer): Answer =>
  answer.lost ? { status: null, body: null } : { status: 200, body: answer.body };

async function callIn(sip: SipClient, switchboard: Switchboard, body: unknown): Promise<Answer> {
  const parsed = parseInboundCall(body);
  if ('faults' in parsed) return { status: 400, body: { code: 'INVALID_REQUEST', faults: parsed.faults } };
  const { to, from } = parsed.value;
  const matched = await matchCaller(sip, to, from);
  if (matched === null) return { status: 404, body: { code: 'NO_ROUTE' } };
  const { facts, ended } = await switchboard.ring(matched, to, from);
  const state = ended ? 'ended' : 'ringing';
  return { status: 201, body: { carrier_id: facts.carrierId, room: facts.roomName, to, from, state } };
}

/** Calls that an earlier process did not live to end: their phones went dead with it. */
function endEarlierCalls(logPath: string, log: SimulatorLog, counters: Counters): void {
  for (const { placed, states, ended } of replayLog(readSimulatorLog(logPath), counters).calls) {
    if (ended !== null) continue;
    log.write({
      kind: 'state',
      at: isoOf(systemClock.nowMs()),
      carrier_id: placed.carrier_id,
      reference: states.get('answered')?.reference ?? placed.reference,
      to: placed.to,
      state: 'ended',
      end_reason: states.has('answered') ? 'dropped' : 'carrier_failure',
      sip_status: null,
      answered_by: states.get('answered')?.answered_by ?? null,
    });
    if (placed.direction === 'outbound') counters.callEnded();
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the stand-in listens on no port');
  return address.port;
}
