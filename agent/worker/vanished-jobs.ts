import { errorName, type Log } from '../log';

/** A conversation in a process of this worker. */
export interface ActiveJob {
  jobId: string;
  roomName: string;
  /** The agent's identity in the room. */
  identity: string;
}

const CHECK_INTERVAL_MS = 1_000;

/** Removes the agent from rooms whose process was killed. Otherwise LiveKit and the user would wait twenty seconds for it. */
export class VanishedJobs {
  private lastSeen = new Map<string, ActiveJob>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly currentJobs: () => ActiveJob[],
    /** Has no effect when the agent is not in the room, or the room does not exist. */
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
