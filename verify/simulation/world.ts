/** What all parts of a run share: time, chance, the record, and which process and link is well. */
import type { Random } from '../faults/random';
import { currentOwner, type Owner, type Scheduler } from './time/scheduler';
import type { Trace } from './trace';

export type ProcessName = 'worker' | 'worker-2' | 'api' | 'carrier' | 'receiver' | 'client';

/** Whom a process talks to. */
export type Peer = 'postgres' | 'temporal' | 'carrier' | 'receiver' | 'api';

/** What a worker's answers to tasks go over, beside what it asks Temporal for as a client. */
export type Link = Peer | 'tasks';

export interface SimulatedProcess extends Owner {
  readonly name: ProcessName;
}

/** How long messages take; drawn for each. */
export interface Pace {
  /** Milliseconds, both ends included. */
  usual: [number, number];
  /** The share of messages that take `slow`. */
  slowShare: number;
  slow: [number, number];
}

/** What happens to the messages between a process and a peer from now until the instant. */
export interface LinkFault {
  from: ProcessName;
  to: Link;
  /** `refused`: the request fails at once. `silent`: nothing comes back. `lost`: the request is done and its answer lost. */
  how: 'refused' | 'silent' | 'lost';
  untilMs: number;
  /** Of how many messages; infinite until the instant. */
  left: number;
}

/** How a message was met; the sender makes of it the error that its protocol has. */
export class MessageLost extends Error {
  override name = 'MessageLost';
  constructor(
    readonly peer: Peer,
    readonly how: LinkFault['how'],
  ) {
    super(`the message to ${peer} was lost (${how})`);
  }
}

/** What waits for an answer that never comes gives up after so long, whatever the protocol. */
const SILENCE_MS = 5_000;

export class World {
  readonly linkFaults: LinkFault[] = [];
  /** Called before a process sends a message and after it was answered: between these a process may die. */
  onStep: (owner: SimulatedProcess) => void = () => undefined;
  /** The process that answers as this peer; undefined for a peer that never stands still. */
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

  /** The time of one message. */
  hop(owner: Owner): Promise<void> {
    return this.scheduler.sleep(this.latencyMs(), owner);
  }

  /**
   * A request and its answer over a link that may be at fault. What the peer does of it, it does at the instant at which the request
   * arrives, whether or not the asker lives to hear of it.
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
    await this.untilItGoesOn(owner, to, work);
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
   * A process that stands still has the request in its queue: it does it once it goes on, also where the asker gave up meanwhile.
   * @throws MessageLost when that takes too long for the asker
   */
  private async untilItGoesOn<T>(
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

  /** The fault that the next message meets; it counts as met. */
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

/** The process whose code runs now. */
export function thisProcess(): Owner | null {
  return currentOwner.getStore() ?? null;
}
