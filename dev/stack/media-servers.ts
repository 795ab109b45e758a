/** Starts the servers for real calls on one machine: LiveKit, the agent and, for phones, Redis and the SIP stand-in. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { SIPTransport } from '@livekit/protocol';
import { SipClient } from 'livekit-server-sdk';
import type { OnProgress } from '../progress';
import { cacheFolder } from '../toolchain/cache-folder';
import { findLivekitServer, findRedisServer } from '../toolchain/media-tools';
import type { Environment, LivekitAccess, Overrides } from './platform-environment';
import { RunningProcess, type ProcessPlan, type Supervision } from './processes';
import { derivedSecret, type Secrets } from './secrets';
import { answersOk } from './wait-until';

export type MediaPorts = {
  livekit: number;
  /** Media over TCP, for networks that block UDP. */
  livekitTcp: number;
  livekitUdp: number;
  redis: number;
  sipStandIn: number;
  agentHealth: number;
};

interface MediaTools {
  livekitServer: string;
  /** Null if there are no phones. LiveKit stores trunks and rules in Redis, and reaches its SIP bridge through Redis. */
  redisServer: string | null;
}

interface MediaOptions {
  repository: string;
  /** The stack's data folder. */
  folder: string;
  tools: MediaTools;
  ports: MediaPorts;
  access: LivekitAccess;
  /** The API's URL for LiveKit and the agent. */
  apiUrl: string;
  /** Base URLs of other APIs that also receive LiveKit's room events. */
  alsoReportedTo?: readonly string[] | undefined;
  /** Environment of the platform's processes. Variables set here override it. */
  environment: Environment;
  overrides: Overrides;
  supervision: Supervision;
  /** Replaces the stand-in. */
  bridge?: SipBridge | undefined;
}

const LOOPBACK = '127.0.0.1';
const API_KEY = 'local';
/** The SIP stand-in ignores the trunk's address, and the number belongs to no subscriber. */
const TRUNK = {
  name: 'local stand-in',
  leadingNowhere: { address: 'trunk.invalid', transport: SIPTransport.SIP_TRANSPORT_AUTO },
  number: '+916100000000',
};
/** In production, the agent runs on a separate machine without these variables. */
const NOT_THE_AGENTS: Environment = {
  DATABASE_URL: undefined,
  SECRETS_KEY: undefined,
  CARRIER_SECRET: undefined,
};
const REDIS_READY_MS = 20_000;
const READY_MS = 60_000;
/** Loading the agent's large library takes time. */
const AGENT_READY_MS = 120_000;
/** Program that the stack starts for the agent. */
const AGENT_ENTRY = join('agent', 'dist', 'agent', 'main.js');

/** @throws Error that explains how to get the missing server or the agent's build */
export async function mediaToolsFor(
  repository: string,
  environment: Environment,
  onProgress: OnProgress,
  { phones }: { phones: boolean } = { phones: true },
): Promise<MediaTools> {
  if (!existsSync(join(repository, AGENT_ENTRY))) {
    throw new Error(
      `the agent is not built (${AGENT_ENTRY} is missing): ` + 'run "npm ci && npm run build" first',
    );
  }
  const search = { environment, cacheFolder: cacheFolder(environment), onProgress };
  const redis = phones
    ? await findRedisServer({ ...search, configuredPath: environment.REDIS_SERVER_PATH })
    : null;
  const livekit = await findLivekitServer({ ...search, configuredPath: environment.LIVEKIT_SERVER_PATH });
  return { redisServer: redis?.path ?? null, livekitServer: livekit.path };
}

/** The platform reaches LiveKit through the stand-in, if there is one. Browsers and agents connect to LiveKit directly. */
export function livekitAccess(
  ports: MediaPorts,
  secrets: Secrets,
  { standIn }: { standIn: boolean } = { standIn: true },
): LivekitAccess {
  return {
    url: `http://${LOOPBACK}:${standIn ? ports.sipStandIn : ports.livekit}`,
    publicUrl: `ws://${LOOPBACK}:${ports.livekit}`,
    apiKey: API_KEY,
    apiSecret: derivedSecret(secrets, 'livekit'),
  };
}

export class MediaServers {
  constructor(private readonly options: MediaOptions) {}

  get access(): LivekitAccess {
    return this.options.access;
  }

  /** Returns the same servers with different ports and folders, to start another process. */
  with(ports: Partial<MediaPorts>, supervision: Supervision): MediaServers {
    return new MediaServers({ ...this.options, ports: { ...this.options.ports, ...ports }, supervision });
  }

  redis(): RunningProcess {
    const { ports, tools, folder, environment } = this.options;
    if (tools.redisServer === null) throw new Error('Redis is not used without phones');
    const own = join(folder, 'redis');
    const settings = {
      port: ports.redis,
      bind: LOOPBACK,
      dir: own,
      save: '',
      appendonly: 'yes',
      logfile: '',
      'protected-mode': 'yes',
    };
    return this.process({
      name: 'redis',
      command: tools.redisServer,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
      env: environment,
      ready: () => redisAnswers(ports.redis),
      readyTimeoutMs: REDIS_READY_MS,
      prepare: async () => void (await mkdir(own, { recursive: true, mode: 0o700 })),
    });
  }

  livekit(): RunningProcess {
    const { ports, tools, folder, environment } = this.options;
    const file = join(folder, 'livekit.json');
    return this.process({
      name: 'livekit',
      command: tools.livekitServer,
      args: ['--config', file],
      env: environment,
      ready: () => answersOk(`http://${LOOPBACK}:${ports.livekit}/`),
      readyTimeoutMs: READY_MS,
      // LiveKit's server reads YAML, and JSON is valid YAML.
      prepare: () => writeSecretly(file, JSON.stringify(livekitConfig(this.options), null, 2)),
    });
  }

  /** Returns the stand-in, or the bridges that replace it. */
  bridges(standInLog: string): RunningProcess[] {
    const { bridge } = this.options;
    if (bridge === undefined) return [this.sipStandIn(standInLog)];
    return bridge.processes.map((ports, index) => this.sipBridge(`livekit-sip-${index}`, bridge, ports));
  }

  sipStandIn(log: string): RunningProcess {
    const { ports, overrides, environment, repository } = this.options;
    return this.process({
      name: 'sip-stand-in',
      command: process.execPath,
      args: [join(repository, 'dist', 'dev', 'sip-stand-in', 'main.js')],
      env: {
        ...environment,
        LIVEKIT_URL: this.access.publicUrl,
        SIP_STAND_IN_PORT: String(ports.sipStandIn),
        SIMULATOR_LOG: log,
        ...overrides.simulator,
      },
      ready: () => answersOk(`http://${LOOPBACK}:${ports.sipStandIn}/stats`),
      readyTimeoutMs: READY_MS,
    });
  }

  private sipBridge(name: string, { program }: SipBridge, ports: BridgePorts): RunningProcess {
    const { environment } = this.options;
    const { apiKey, apiSecret, publicUrl } = this.access;
    return this.process({
      name,
      command: program,
      args: [],
      env: {
        PATH: environment.PATH,
        LIVEKIT_API_KEY: apiKey,
        LIVEKIT_API_SECRET: apiSecret,
        LIVEKIT_WS_URL: publicUrl,
        SIP_CONFIG_BODY: JSON.stringify(bridgeConfig(ports, `${LOOPBACK}:${this.options.ports.redis}`)),
      },
      ready: () => answersOk(`http://${LOOPBACK}:${ports.health}/`),
      readyTimeoutMs: READY_MS,
      // On SIGTERM, the process would wait for its calls to end.
      stopSignal: 'SIGINT',
    });
  }

  /** Returns the id of the trunk for the platform's calls. LiveKit must be running; it keeps the trunk across restarts. */
  async openTrunk(): Promise<string> {
    const { publicUrl, apiKey, apiSecret } = this.options.access;
    const sip = new SipClient(publicUrl, apiKey, apiSecret, { failover: false });
    const { address, ...options } = this.options.bridge?.trunk ?? TRUNK.leadingNowhere;
    const kept = (await sip.listSipOutboundTrunk()).find(({ name }) => name === TRUNK.name);
    const trunk = kept ?? (await sip.createSipOutboundTrunk(TRUNK.name, address, [TRUNK.number], options));
    return trunk.sipTrunkId;
  }

  agent(): RunningProcess {
    const { ports, overrides, environment, repository, apiUrl } = this.options;
    return this.process({
      name: 'agent',
      command: process.execPath,
      args: [join(repository, AGENT_ENTRY)],
      env: {
        ...environment,
        ...NOT_THE_AGENTS,
        API_URL: apiUrl,
        LIVEKIT_URL: this.access.publicUrl,
        AGENT_HEALTH_PORT: String(ports.agentHealth),
        // The agent never reports itself overloaded, because no other agent could take the call. It doesn't drain, because test calls may
        // be cut off.
        AGENT_MAX_LOAD: '1',
        AGENT_DRAIN_S: '0',
        ...overrides.agent,
      },
      ready: () => answersOk(`http://${LOOPBACK}:${ports.agentHealth}/registered`),
      readyTimeoutMs: AGENT_READY_MS,
    });
  }

  private process(plan: Omit<ProcessPlan, 'cwd'>): RunningProcess {
    const { repository, supervision } = this.options;
    return new RunningProcess({ graceMs: 15_000, ...plan, cwd: repository }, supervision);
  }
}

function livekitConfig({ ports, tools, apiUrl, alsoReportedTo = [], access }: MediaOptions) {
  return {
    port: ports.livekit,
    bind_addresses: [LOOPBACK],
    rtc: {
      tcp_port: ports.livekitTcp,
      udp_port: ports.livekitUdp,
      node_ip: LOOPBACK,
      use_external_ip: false,
      enable_loopback_candidate: true,
    },
    ...(tools.redisServer !== null && { redis: { address: `${LOOPBACK}:${ports.redis}` } }),
    keys: { [access.apiKey]: access.apiSecret },
    webhook: {
      api_key: access.apiKey,
      urls: [apiUrl, ...alsoReportedTo].map((base) => `${base}/api/livekit/webhook`),
    },
    logging: { level: 'warn' },
  };
}

async function writeSecretly(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}

function redisAnswers(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: LOOPBACK, timeout: 2000 });
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.once('timeout', () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
}

/** Settings of livekit-sip as in docker-compose.yml, but for a single machine. */

export interface SipBridge {
  /** Path of the livekit-sip program. */
  program: string;
  /** Each entry starts a process. */
  processes: readonly BridgePorts[];
  /** The first start creates this trunk in LiveKit. */
  trunk: { address: string; authUsername: string; authPassword: string; transport: SIPTransport };
}

export interface BridgePorts {
  sip: number;
  health: number;
  /** First and last port. */
  rtp: readonly [number, number];
}

const bridgeConfig = ({ sip, health, rtp }: BridgePorts, redis: string) => ({
  redis: { address: redis },
  sip_port: sip,
  rtp_port: rtp.join('-'),
  use_external_ip: false,
  hide_inbound_port: true,
  health_port: health,
  // All processes share this machine, so a high CPU load must not make the bridge reject calls.
  max_cpu_utilization: 1,
  // At level info, the log contains phone numbers.
  logging: { json: true, level: 'warn' },
});
