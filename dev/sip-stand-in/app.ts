/**
 * Simulates livekit-sip in front of a real LiveKit server: handles CreateSIPParticipant and TransferSIPParticipant and forwards everything
 * else. It shares the simulator's table of numbers and log format; README.md lists the differences.
 */
import { SipClient } from 'livekit-server-sdk';
import { closeServer, listen } from '../http';
import { isoOf, systemClock } from '../simulator/clock';
import { Counters, type Stats, replayLog, type CallHistory } from '../simulator/history';
import { openSimulatorLog, readSimulatorLog, type StateEntry } from '../simulator/log';
import { parseInboundCall } from '../simulator/protocol';
import { matchCaller } from './dispatch-rules';
import { Proxy, createStandInServer, type Answer, type Handler } from './server';
import { SipService, type ServiceAnswer } from './sip-service';
import { Switchboard } from './switchboard';
import { checkVariables, VARIABLES, type Environment } from '../../config';

interface StandIn {
  /** Port 0 picks any free port. Resolves to the port in use; rejects with EADDRINUSE. */
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
  const service = new SipService({ apiKey, apiSecret, clock, log, counters, timings, switchboard, sip });
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
  const abandoned: AbandonedPhone[] = [];
  const endPhone = (phone: AbandonedPhone): void => {
    if (!abandoned.includes(phone)) return;
    abandoned.splice(abandoned.indexOf(phone), 1);
    log.write({ ...phone.ended, at: isoOf(clock.nowMs()) });
    if (phone.isOutbound) counters.callEnded();
  };
  return {
    async listen(port) {
      const opened = await listen(http, port, settings.host);
      abandoned.push(...abandonedPhones(settings.logPath, counters, clock.nowMs()));
      for (const phone of abandoned) clock.after(phone.endsAtMs - clock.nowMs(), () => endPhone(phone));
      return opened;
    },
    stats: () => counters.stats(),
    async close() {
      for (const phone of [...abandoned]) endPhone(phone);
      await switchboard.close();
      proxy.close();
      await closeServer(http);
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

interface AbandonedPhone {
  endsAtMs: number;
  isOutbound: boolean;
  ended: StateEntry;
}

/** How long a person listens to silence after the restart before hanging up. */
const LISTENS_MS = 20_000;

function abandonedPhones(logPath: string, counters: Counters, nowMs: number): AbandonedPhone[] {
  return replayLog(readSimulatorLog(logPath), counters)
    .calls.filter(({ ended }) => ended === null)
    .map((call) => abandonedPhone(call, nowMs));
}

function abandonedPhone({ placed, states }: CallHistory, nowMs: number): AbandonedPhone {
  const answered = states.get('answered');
  const isTalking = answered !== undefined;
  return {
    endsAtMs: isTalking ? nowMs + LISTENS_MS : Math.max(nowMs, stopsRingingAtMs(placed)),
    isOutbound: placed.direction === 'outbound',
    ended: {
      kind: 'state',
      at: placed.at,
      carrier_id: placed.carrier_id,
      reference: answered?.reference ?? placed.reference,
      to: placed.to,
      state: 'ended',
      end_reason: isTalking ? 'dropped' : 'carrier_failure',
      sip_status: null,
      answered_by: answered?.answered_by ?? null,
    },
  };
}

/**
 * A dialled phone rings until its plan answers or ends the call. A caller's ringing ends immediately, because the caller's own network
 * handles it.
 */
function stopsRingingAtMs({ at, steps, direction }: CallHistory['placed']): number {
  const end = steps.find(({ type }) => type === 'answered' || type === 'ended');
  return Date.parse(at) + (direction === 'outbound' ? (end?.after_ms ?? 0) : 0);
}

/** Reads the stand-in's environment, or returns a fault for every invalid variable. */
export function readSettings(env: Environment) {
  const read = checkVariables(VARIABLES, 'sip-stand-in', env);
  if ('faults' in read) return read;
  const { values } = read;
  const { carrierSecret: secret, host, logPath, ...timings } = read.settings;
  return {
    settings: {
      secret,
      host,
      logPath,
      timings,
      port: values.SIP_STAND_IN_PORT,
      /** URL of the real server, `http://…`. */
      livekitUrl: values.LIVEKIT_URL.replace(/^ws/, 'http'),
      apiKey: values.LIVEKIT_API_KEY,
      apiSecret: values.LIVEKIT_API_SECRET,
    },
  };
}

export type StandInSettings = Extract<ReturnType<typeof readSettings>, { settings: object }>['settings'];
