/** Limits the memory of conversation processes, and cleans up the rooms of processes that died. */
import { join } from 'node:path';
import type { AgentServer } from '@livekit/agents';
import { errorName, type Log } from '../log';

/** A conversation that runs in a process of this worker. */
export interface ActiveJob {
  jobId: string;
  roomName: string;
  /** The agent's identity in the room. */
  identity: string;
}

const CHECK_INTERVAL_MS = 1_000;
/** In MiB. With Node's default of 16, short-lived objects take 32 MiB, because audio creates many. With 2 they take 4 MiB. */
const SEMI_SPACE = '--max-semi-space-size';
const SEMI_SPACE_MIB = 2;
/** Without this limit, glibc keeps freed memory separately for each of the 24 threads. */
const ARENAS = 'MALLOC_ARENA_MAX';
const MAX_ARENAS = '2';

/** Returns the conversations that the worker runs. */
export function activeJobs(server: AgentServer): ActiveJob[] {
  return server.activeJobs.map(({ job, acceptArguments: { identity } }) => ({
    jobId: job.id,
    roomName: job.room?.name ?? '',
    identity,
  }));
}

/** Removes the agent from rooms whose process was killed. If it stayed, LiveKit and the user would wait 20 s for it. */
export class VanishedJobs {
  private lastSeen = new Map<string, ActiveJob>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly currentJobs: () => ActiveJob[],
    /** Must do nothing when the agent is not in the room or the room does not exist. */
    private readonly removeAgent: (job: ActiveJob) => Promise<void>,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
    this.timer.unref();
  }

  check(): void {
    const now = new Map(this.currentJobs().map((job) => [job.jobId, job]));
    const vanished = [...this.lastSeen.values()].filter(({ jobId }) => !now.has(jobId));
    this.lastSeen = now;
    for (const job of vanished) {
      this.removeAgent(job).catch((error: unknown) => {
        this.log.warn({ job: job.jobId, error: errorName(error) }, 'an agent may still be in its room');
      });
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

type Forking = Pick<NodeJS.Process, 'execArgv' | 'env'>;

/** Prevents `sharp` from being loaded. */
const PRELOADED = join(__dirname, '..', 'job', 'without-pictures.js');

/**
 * Reduces the memory of processes that are forked from now on; values set by the operator are kept. LiveKit's worker has no option for
 * this, so this function sets V8 flags and environment variables of the current process.
 */
export function limitJobMemory(forking: Forking = process, preloaded = PRELOADED): void {
  const { execArgv, env } = forking;
  const isSet = [...execArgv, env.NODE_OPTIONS ?? ''].some((one) => one.includes(SEMI_SPACE));
  if (!isSet) execArgv.push(`${SEMI_SPACE}=${SEMI_SPACE_MIB}`);
  execArgv.push('--require', preloaded);
  env[ARENAS] ??= MAX_ARENAS;
}
