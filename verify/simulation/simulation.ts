/** A run of the platform's processes, the carrier, the receivers and Temporal in virtual time, on a real database. */
import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import {
  RECONCILE_EVERY_MS,
  RECONCILE_RUNS,
  WORKFLOW_TYPES,
  workflowId,
  type ReconcileInput,
} from '../../workflows/contract';
import type { CarrierLine, ClockChange, Fault, Restart } from '../faults/checker/evidence';
import { Random } from '../faults/random';
import type { Crashed, SimulationPlan } from './plan/plan';
import { startApi, type StartedApi } from './platform/api';
import { SimulatedCarrier } from './platform/carrier';
import { SimulatedReceiver } from './platform/receiver';
import { type StartedWorker, startWorker, type WorkerOptions } from './platform/worker';
import type { DialWorkers } from '../../api/dependencies/dial-wake-ups';
import { undialled } from '../../db/calls/dial-wake-ups';
import type { Db } from '../../db/kernel/connection';
import type { Laboratory } from './postgres/laboratory';
import { SimulatedPostgres } from './postgres/simulated-postgres';
import { TemporalServer } from './temporal/server';
import { AlreadyStarted } from './temporal/execution';
import { Scheduler } from './time/scheduler';
import { MessageLost, type ProcessName, type SimulatedProcess, Trace, World } from './world';

/** Time after the start of an API process until it serves requests. */
const API_LOADS_MS = 300;

interface TaskFailure {
  workflowId: string;
  message: string;
}

export class Simulation {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly random: Random;
  readonly world: World;
  readonly server: TemporalServer;
  readonly postgres: SimulatedPostgres;
  readonly carrier: SimulatedCarrier;
  readonly receiver: SimulatedReceiver;
  readonly processes = new Map<ProcessName, SimulatedProcess>();
  readonly clocks: ClockChange[] = [];
  readonly faults: Fault[] = [];
  readonly restarts: Restart[] = [];
  /** Outages of parts that all organizations share. */
  readonly outages: { fromMs: number; untilMs: number }[] = [];
  readonly taskFailures: TaskFailure[] = [];
  readonly offsets = new Map<string, number>();
  /** Workflows that failed. There must be none, because reconciliation would have to finish their work. */
  readonly failedWorkflows: string[] = [];
  /** Errors of the product that no injected fault explains. */
  readonly productFaults: string[] = [];
  /** Called with each line of the carrier's log. */
  onCarrierLine: (line: CarrierLine) => void = () => undefined;
  /** Called with each unexplained error of the product, and with each failed workflow or workflow task. */
  onProductFault: () => void = () => undefined;
  private readonly workers = new Map<ProcessName, StartedWorker>();
  private api: StartedApi | null = null;
  /** Crashes that are due after a certain number of steps of their process. */
  private readonly armed: { process: Crashed; left: number; downMs: number }[] = [];

  constructor(
    private readonly laboratory: Laboratory,
    readonly plan: SimulationPlan,
  ) {
    this.scheduler = new Scheduler(plan.startMs);
    this.trace = new Trace(this.scheduler, plan.startMs);
    this.random = new Random(Math.imul(plan.seed, 0x165667b1) ^ 0x5bd1e995);
    this.world = new World(this.scheduler, this.random, this.trace, plan.pace);
    this.server = new TemporalServer(this.world);
    this.postgres = new SimulatedPostgres(this.world, laboratory.client, laboratory.statements);
    this.receiver = new SimulatedReceiver(this.world);
    this.carrier = new SimulatedCarrier({
      world: this.world,
      offsetMs: () => this.offsetOf('carrier'),
      ringMs: plan.ringMs,
      talkMs: plan.talkMs,
      post: (body) => this.carrierEvent(body),
      onEntry: (entry) => {
        if (entry.kind === 'route') return;
        if (entry.kind === 'placed') this.trace.note('carrier', `places ${entry.reference} to ${entry.to}`);
        if (entry.kind === 'state' && entry.state !== 'dialing' && entry.state !== 'ringing') {
          this.trace.note(
            'carrier',
            `${entry.reference} ${entry.state}${entry.end_reason === null ? '' : `, ${entry.end_reason}`}`,
          );
        }
        this.onCarrierLine(entry);
      },
    });
    this.server.onFailedRun = ({ type, workflowId }, why) => {
      // The schedule starts the next pass instead.
      if (type === WORKFLOW_TYPES.reconcile) return;
      this.trace.note('temporal', `${workflowId} fails: ${lastLine(why)}`);
      this.failedWorkflows.push(`${type} ${workflowId} failed: ${lastLine(why)}`);
      this.onProductFault();
    };
    this.world.onStep = (owner) => this.stepped(owner);
    this.world.processOf = (peer) => this.processes.get(peer);
    // Records the initial clocks, which the checker needs to read the carrier's log lines.
    for (const process of ['worker', 'api', 'carrier'] as const) this.recordClock(process, 0);
  }

  readonly onFault = (where: string, error: unknown): void => {
    const sentence = lastLine(error instanceof Error ? error.message : String(error));
    this.trace.note(where, `fails: ${sentence}`);
    this.productFaults.push(`${where} failed: ${sentence}`);
    this.onProductFault();
  };

  offsetOf(name: string): number {
    return this.offsets.get(name) ?? 0;
  }

  start(): void {
    for (const name of ['client', 'carrier', 'api', 'worker'] as const) this.launch(name);
    if (this.plan.workers === 2) this.launch('worker-2');
    this.reconcileIn(RECONCILE_EVERY_MS);
  }

  process(name: ProcessName): SimulatedProcess {
    const process = this.processes.get(name);
    if (process === undefined) throw new Error(`there is no process ${name}`);
    return process;
  }

  /** Returns null while the API is down. */
  apiOrNull(): StartedApi | null {
    return this.processes.get('api')?.isAlive === true ? this.api : null;
  }

  crash(name: Crashed, downMs: number): void {
    const process = this.processes.get(name);
    if (process?.isAlive !== true) return;
    this.trace.note(name, `dies, and starts again after ${downMs} ms`);
    process.isAlive = false;
    this.noteOutage(downMs + 1_000);
    const restart: Restart = {
      process: name === 'carrier' ? 'simulator' : name,
      killed_at: isoOf(this.scheduler.nowMs),
      started_at: null,
      ready_at: null,
    };
    this.restarts.push(restart);
    void this.postgres.processDied(process);
    const worker = this.workers.get(name);
    if (worker !== undefined) void this.scheduler.work(() => worker.died());
    this.scheduler.after(downMs, null, () => {
      restart.started_at = isoOf(this.scheduler.nowMs);
      restart.ready_at = isoOf(this.scheduler.nowMs + 1_000);
      this.launch(name);
    });
  }

  crashAtStep(process: Crashed, steps: number, downMs: number): void {
    this.armed.push({ process, left: steps, downMs });
  }

  noteOutage(forMs: number): void {
    const { nowMs } = this.scheduler;
    this.outages.push({ fromMs: nowMs, untilMs: nowMs + forMs });
  }

  noteFault(fault: string, target: string, forMs: number): void {
    const { nowMs } = this.scheduler;
    this.trace.note('fault', `${fault} ${target}${forMs > 0 ? ` for ${forMs} ms` : ''}`);
    this.faults.push({ at: isoOf(nowMs), until: isoOf(nowMs + forMs), fault, target });
  }

  setClock(process: 'worker' | 'api' | 'carrier', offsetMs: number): void {
    this.offsets.set(process, offsetMs);
    this.trace.note('fault', `the clock of ${process} is ${offsetMs} ms ahead`);
    this.recordClock(process, offsetMs);
  }

  private recordClock(process: 'worker' | 'api' | 'carrier', offsetMs: number): void {
    const named = process === 'carrier' ? 'simulator' : process;
    this.clocks.push({ at: isoOf(this.scheduler.nowMs), process: named, offset_ms: offsetMs });
  }

  private stepped(owner: SimulatedProcess): void {
    if (owner.name === 'client') return;
    for (const crash of this.armed) {
      if (crash.process !== owner.name) continue;
      crash.left -= 1;
      if (crash.left !== 0) continue;
      // Crashes at once, before the step takes effect.
      const { process, downMs } = crash;
      this.scheduler.after(0, null, () => this.crash(process, downMs));
    }
  }

  private launch(name: ProcessName): void {
    const process: SimulatedProcess = { name, isAlive: true, stalledUntilMs: 0 };
    this.processes.set(name, process);
    switch (name) {
      case 'carrier':
        this.carrier.start(process);
        return;
      case 'api':
        this.api = null;
        this.scheduler.after(API_LOADS_MS, process, () => (this.api = startApi(this, process)));
        return;
      case 'worker':
      case 'worker-2':
        this.workers.set(name, startWorker(this.workerOptions(), process));
        return;
      case 'client':
      case 'receiver':
        return;
    }
  }

  private workerOptions(): WorkerOptions {
    const { world, postgres, server, carrier, receiver, laboratory, plan } = this;
    return {
      world,
      postgres,
      server,
      code: laboratory.code,
      createActivities: laboratory.createActivities,
      limits: { continueAfterEvents: plan.continueAsNewAfterEvents },
      fetch: (process) => carrier.fetchOf(process),
      hasForgotten: (reference) => carrier.hasForgotten(reference),
      webhooks: (process) => receiver.senderOf(process),
      onFault: this.onFault,
      onTaskFailure: (id, error) => {
        this.trace.note('temporal', `${id}: ${error.message}`);
        this.taskFailures.push({ workflowId: id, message: error.message });
        this.onProductFault();
      },
    };
  }

  /** Replaces the notifications of Postgres. A message takes time, and a worker that dies before it arrives never gets it. */
  readonly dialWorkers = (db: Db): DialWorkers => ({
    wake: async (callIds) => {
      await db.raw('select 1');
      const [first, ...others] = [...this.workers].filter(([name]) => this.process(name).isAlive);
      if (first === undefined) return [];
      return callIds.map((callId) => {
        const [worker, started] = this.random.pick([first, ...others]);
        const dial = (): void => started.dial([callId]);
        this.scheduler.after(this.world.latencyMs(), this.process(worker), dial);
        return { worker, callIds: [callId] };
      });
    },
    undialled: async (woken) =>
      (await undialled(db, woken, Math.round(this.world.nowMs))).map((call) => {
        const worker = woken.find(({ callId }) => callId === call.callId)?.worker as ProcessName;
        return { ...call, isListening: this.processes.get(worker)?.isAlive === true };
      }),
  });

  private async carrierEvent(body: string): Promise<{ status: number | null; body: string }> {
    const carrier = this.process('carrier');
    try {
      return await this.world.exchange(carrier, 'api', () => {
        const api = this.apiOrNull();
        if (api === null) throw new MessageLost('api', 'refused');
        return this.withinTime(api.receive(body), carrier);
      });
    } catch (error) {
      if (error instanceof MessageLost) return { status: null, body: '' };
      throw error;
    }
  }

  /** A dead API never responds, so the sender gives up. */
  async withinTime<T>(work: Promise<T>, asker: SimulatedProcess, limitMs = 5_000): Promise<T> {
    const late = this.scheduler.sleep(limitMs, asker).then((): never => {
      throw new MessageLost('api', 'silent');
    });
    late.catch(() => undefined);
    return Promise.race([work, late]);
  }

  /** Acts like the server's schedule. While a workflow runs, the next one waits for its end. */
  private reconcileIn(delayMs: number): void {
    const scheduled: ReconcileInput = { afterOutage: false, runs: RECONCILE_RUNS };
    const input = toPayloads(defaultPayloadConverter, scheduled) ?? [];
    this.scheduler.after(delayMs, this.server.process, () => {
      try {
        const type = WORKFLOW_TYPES.reconcile;
        this.server.start({ workflowId: workflowId.reconcile(), type, input, taskTimeoutMs: 0 });
        this.reconcileIn(RECONCILE_RUNS * RECONCILE_EVERY_MS);
      } catch (error) {
        if (!(error instanceof AlreadyStarted)) throw error;
        this.reconcileIn(1_000);
      }
    });
  }
}

/** knex puts the whole statement before the error message. */
const lastLine = (message: string): string => message.slice(message.lastIndexOf('\n') + 1).trim();

export const isoOf = (ms: number): string => new Date(Math.round(ms)).toISOString();
