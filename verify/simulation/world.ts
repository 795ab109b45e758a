/** Shared state of a run: time, randomness, the trace, and faults of processes and links. */
import { createHash } from 'node:crypto';
import type { Random } from '../faults/random';
import type { Owner, Scheduler } from './time/scheduler';

export interface TraceLine {
  atMs: number;
  who: string;
  what: string;
}

export class Trace {
  readonly lines: TraceLine[] = [];
  private readonly hash = createHash('sha256');

  constructor(
    private readonly scheduler: Scheduler,
    private readonly startMs: number,
  ) {}

  /** Adds an entry to the story and the fingerprint. */
  note(who: string, what: string): void {
    const atMs = this.scheduler.nowMs - this.startMs;
    this.lines.push({ atMs, who, what });
    this.hash.update(`${atMs} ${who} ${what}\n`);
  }

  /** Adds an entry only to the fingerprint. */
  step(what: string): void {
    this.hash.update(`${this.scheduler.nowMs - this.startMs} ${what}\n`);
  }

  fingerprint(): string {
    return this.hash.copy().digest('hex').slice(0, 16);
  }
}

export type ProcessName = 'worker' | 'worker-2' | 'api' | 'carrier' | 'receiver' | 'client';

/** A process's peer. */
export type Peer = 'postgres' | 'temporal' | 'carrier' | 'receiver' | 'api';

/** Links of a worker: its client connections, and `tasks` for completions of tasks. */
export type Link = Peer | 'tasks';

export interface SimulatedProcess extends Owner {
  readonly name: ProcessName;
}

/** Distribution from which each message's duration is drawn. */
export interface Pace {
  /** In ms, both ends included. */
  usual: [number, number];
  /** Share of messages that take `slow`. */
  slowShare: number;
  slow: [number, number];
}

/** A fault of the messages between a process and a peer, until a given time. */
export interface LinkFault {
  from: ProcessName;
  to: Link;
  /** `refused`: the request fails at once. `silent`: no response comes. `lost`: the request is executed, but its response is lost. */
  how: 'refused' | 'silent' | 'lost';
  untilMs: number;
  /** Number of messages that it still affects; infinite if it lasts until its end time. */
  left: number;
}

/** A lost message. The sender converts it to its protocol's error. */
export class MessageLost extends Error {
  override name = 'MessageLost';
  constructor(
    readonly peer: Peer,
    readonly how: LinkFault['how'],
  ) {
    super(`the message to ${peer} was lost (${how})`);
  }
}

/** Timeout for a response that never comes, for every protocol. */
const SILENCE_MS = 5_000;

export class World {
  readonly linkFaults: LinkFault[] = [];
  /** Called before a process sends a message and after it gets the response. The process may die in between. */
  onStep: (owner: SimulatedProcess) => void = () => undefined;
  /** Returns this peer's process, or undefined for a peer that never stalls. */
  processOf: (peer: ProcessName) => SimulatedProcess | undefined = () => undefined;

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    readonly trace: Trace,
    private readonly pace: Pace,
  ) {}

  get nowMs(): number {
    return this.scheduler.nowMs;
  }

  latencyMs(): number {
    const { usual, slow, slowShare } = this.pace;
    const [from, to] = this.random.chance(slowShare) ? slow : usual;
    return from + this.random.next() * (to - from);
  }

  /** Waits for as long as one message takes. */
  hop(owner: Owner): Promise<void> {
    return this.scheduler.sleep(this.latencyMs(), owner);
  }

  /**
   * Exchanges a request and its response over a link that can fail. The peer acts when the request arrives, even if the sender has died.
   * @throws MessageLost
   */
  async exchange<T>(owner: SimulatedProcess, to: Peer, work: () => Promise<T> | T): Promise<T> {
    this.onStep(owner);
    const fault = this.faultOf(owner.name, to);
    if (fault?.how === 'refused') {
      await this.hop(owner);
      throw new MessageLost(to, 'refused');
    }
    if (fault?.how === 'silent') {
      await this.scheduler.sleep(SILENCE_MS, owner);
      throw new MessageLost(to, 'silent');
    }
    await this.hop(owner);
    await this.untilResumed(owner, to, work);
    if (fault === undefined) {
      const answer = await work();
      this.onStep(owner);
      await this.hop(owner);
      return answer;
    }
    this.trace.note(owner.name, `loses the answer of ${to}`);
    await work();
    await this.hop(owner);
    throw new MessageLost(to, 'lost');
  }

  /**
   * A stalled process keeps the request in its queue and executes it when it resumes, even if the sender has given up. @throws MessageLost
   * if the sender gives up
   */
  private async untilResumed<T>(
    owner: SimulatedProcess,
    to: Peer,
    work: () => Promise<T> | T,
  ): Promise<void> {
    const peer = isProcess(to) ? this.processOf(to) : undefined;
    const waitMs = (peer?.stalledUntilMs ?? 0) - this.nowMs;
    if (peer === undefined || waitMs <= 0) return;
    await this.scheduler.sleep(Math.min(waitMs, SILENCE_MS), owner);
    if (waitMs <= SILENCE_MS) return;
    this.scheduler.after(
      waitMs - SILENCE_MS,
      peer,
      () => void Promise.resolve(work()).catch(() => undefined),
    );
    throw new MessageLost(to, 'silent');
  }

  /** Returns the fault that affects the next message, and counts the message. */
  faultOf(from: ProcessName, to: Link): LinkFault | undefined {
    const fault = this.linkFaults.find(
      (each) => each.from === from && each.to === to && each.untilMs > this.nowMs && each.left > 0,
    );
    if (fault !== undefined) fault.left -= 1;
    return fault;
  }
}

const isProcess = (peer: Peer): peer is Extract<Peer, ProcessName> =>
  peer === 'api' || peer === 'carrier' || peer === 'receiver';
