import type { Log } from './log';

/** A conversation that a process of this worker holds. */
export interface HeldJob {
  jobId: string;
  roomName: string;
  /** Of the agent in the room. */
  identity: string;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Puts the agent out of rooms whose process is gone. One that ended in order has left already; one that was killed LiveKit would
 * wait for, and the person on the phone with it, for twenty seconds.
 */
export class VanishedJobs {
  private held = new Map<string, HeldJob>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly heldNow: () => HeldJob[],
    /** Without effect where the agent is not in the room, or there is none. */
    private readonly putOut: (job: HeldJob) => Promise<void>,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  look(): void {
    const now = new Map(this.heldNow().map((job) => [job.jobId, job]));
    const vanished = [...this.held.values()].filter(({ jobId }) => !now.has(jobId));
    this.held = now;
    for (const job of vanished) {
      this.putOut(job).catch((error: unknown) => {
        const name = error instanceof Error ? error.name : typeof error;
        this.log.warn({ job: job.jobId, error: name }, 'an agent may still be in its room');
      });
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
