import type { EventEmitter } from 'node:events';
import { cpus } from 'node:os';
import { ServerOptions } from '@livekit/agents';
import type { Log } from '../log';
import type { AgentSettings } from '../settings';

/** A new process loads the SDK's native libraries, which takes seconds on a busy machine. */
const PROCESS_START_TIMEOUT_MS = 60_000;
/**
 * LiveKit assigns no conversation to a worker above this load, regardless of the worker's own threshold (`agents.target_load` in LiveKit's
 * configuration).
 */
const LOAD_THRESHOLD = 0.7;
/** Longer than uploading a recording with all retries. */
const PROCESS_END_TIMEOUT_MS = 60_000;
const CHECKED_EVERY_MS = 2_500;
/** Four intervals of the SDK's load measurement. */
const LOST_AFTER_MS = 10_000;

export function serverOptions(
  settings: Omit<AgentSettings, 'agentName'> & { agentName: string },
  registration: Registration,
  jobFile: string,
): ServerOptions {
  const { livekit, agentName, idleProcesses, drainMs } = settings;
  return new ServerOptions({
    agent: jobFile,
    agentName,
    wsURL: livekit.url,
    apiKey: livekit.apiKey,
    apiSecret: livekit.apiSecret,
    numIdleProcesses: idleProcesses,
    loadFunc: () => Promise.resolve(registration.measureLoad()),
    loadThreshold: LOAD_THRESHOLD,
    initializeProcessTimeout: PROCESS_START_TIMEOUT_MS,
    shutdownProcessTimeout: PROCESS_END_TIMEOUT_MS,
    drainTimeout: drainMs,
    // LiveKit can be unavailable for any length of time.
    maxRetry: Number.POSITIVE_INFINITY,
    logLevel: 'fatal',
    // The SDK's own health server, which we don't use. Port 0 picks any free port.
    host: '127.0.0.1',
    port: 0,
    production: false,
  });
}

/**
 * Tracks whether the worker is registered with LiveKit. The SDK emits an event on registration, and measures the load only while the worker
 * is registered.
 */
export class Registration {
  private readonly load = new ProcessorLoad();
  private readonly timer: NodeJS.Timeout;
  private measuredAt = 0;
  private registered = false;
  private stopped = false;
  private measured = 0;

  constructor(
    private readonly maxLoad: number | null,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => this.check(), CHECKED_EVERY_MS);
    this.timer.unref();
  }

  listenTo(events: EventEmitter): void {
    events.on('worker_registered', () => {
      this.measuredAt = performance.now();
      this.registered = true;
      this.log.info({}, 'agent registered');
    });
  }

  /** Returns the load to report to LiveKit. A load of `LOAD_THRESHOLD` or more means that the worker is full. */
  measureLoad(): number {
    this.measuredAt = performance.now();
    const load = this.load.sinceLast();
    this.measured = load;
    // LiveKit prefers workers with more spare capacity. Even without a limit, a busy worker should rank behind an idle one.
    if (this.maxLoad === null) return load * LOAD_THRESHOLD * 0.9;
    if (load >= this.maxLoad) this.log.warn({ load }, 'too busy for another conversation');
    return (load / this.maxLoad) * LOAD_THRESHOLD;
  }

  /** Share of CPU time in use at the last measurement. */
  get lastLoad(): number {
    return this.measured;
  }

  get isFull(): boolean {
    return this.maxLoad !== null && this.measured >= this.maxLoad;
  }

  isRegistered(): boolean {
    return this.registered && !this.stopped;
  }

  /** Call this when the worker accepts no more conversations. */
  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private check(): void {
    if (!this.registered || performance.now() - this.measuredAt < LOST_AFTER_MS) return;
    this.registered = false;
    this.log.warn({}, 'LiveKit is unreachable: no conversations until it is back');
  }
}

/** Measures the machine's CPU load since the last reading, from 0 to 1. */
class ProcessorLoad {
  private last = times();

  sinceLast(): number {
    const [before, now] = [this.last, times()];
    this.last = now;
    const all = now.all - before.all;
    return all <= 0 ? 0 : 1 - (now.idle - before.idle) / all;
  }
}

function times(): { all: number; idle: number } {
  const sums = { all: 0, idle: 0 };
  for (const { times: each } of cpus()) {
    sums.idle += each.idle;
    sums.all += each.user + each.nice + each.sys + each.irq + each.idle;
  }
  return sums;
}
