/**
 * Dials calls as soon as they get a line, without waiting for a task of their workflow. A direct dial is the workflow's own dial, under the
 * same intent, so a call that both dial is dialled once. If it can't finish, the workflow dials
 * (docs/decisions/0029-direct-dials.md).
 */
import { AsyncResource } from 'node:async_hooks';
import { dialBackoffMs } from '../../domain/dial-backoff';
import { Shares } from '../../runtime/shares';
import { signalWorkflows, type SignalSender } from '../../runtime/signal-workflows';
import { workflowId } from '../../workflows/contract';
import type { ActivityDependencies } from '../dependencies';
import type { DialInput, DialStep } from './dial-step';
import type { Prepared, Preparing } from './preparing';

interface DirectDialDependencies extends Pick<ActivityDependencies, 'workflows' | 'log' | 'clock'> {
  /** Signals workflows, without `dial`. */
  signals: SignalSender;
  /** Maximum number of dials in progress. The others wait. */
  atOnce: number;
}

interface DialSteps {
  dial: (input: DialInput) => Promise<DialStep>;
  /** Returns null if the workflow must prepare the dial. */
  prepare: (preparing: Preparing) => Promise<Prepared | null>;
}

type FinishedStep = Exclude<DialStep, { kind: 'unprepared' }>;

/** After this, the workflow dials a call that still waits. */
const LONGEST_WAIT_MS = 10_000;

export class DirectDials {
  /** Null until the activities exist and after `stop()`. */
  private steps: DialSteps | null = null;
  private readonly underWay = new Set<Promise<void>>();
  private readonly slots: Shares;
  /** Dials start outside the activity that granted the line, so that log lines and spans don't name its call. */
  private readonly outside = new AsyncResource('direct dials');

  constructor(private readonly deps: DirectDialDependencies) {
    this.slots = new Shares({ max: deps.atOnce, waiting: Infinity, waitMs: LONGEST_WAIT_MS });
  }

  start(steps: DialSteps): void {
    this.steps = steps;
  }

  /** Never throws. The workflows of calls that can't be dialled directly are signalled. */
  readonly dial = (callIds: readonly string[]): void => {
    const { steps } = this;
    if (steps === null) return void this.leaveToWorkflows(callIds);
    for (const callId of callIds) {
      const work = this.outside
        .runInAsyncScope(() => this.dialOne(callId, steps))
        .finally(() => this.underWay.delete(work));
      this.underWay.add(work);
    }
  };

  /** Resolves when no dial is in progress. */
  async stop(): Promise<void> {
    this.steps = null;
    await Promise.all(this.underWay);
  }

  private async dialOne(callId: string, steps: DialSteps): Promise<void> {
    const { signals, log } = this.deps;
    try {
      const step = await this.dialPrepared(callId, steps);
      if (step === null || step.kind === 'notYet') return await this.leaveToWorkflows([callId]);
      if (step.kind === 'placed' || step.kind === 'noLine') return;
      if (step.kind === 'over') {
        const { callStatus } = step;
        const ended = callStatus === null ? {} : { ended: { callId, callStatus } };
        return await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ...ended });
      }
      // Reconciliation signals the workflow if this process stops before then.
      setTimeout(() => void this.leaveToWorkflows([callId]), waitMsAfter(step)).unref();
    } catch (error) {
      log.warn(
        { call_id: callId, error: error instanceof Error ? error.name : 'unknown' },
        'a direct dial failed: the workflow dials',
      );
      await this.leaveToWorkflows([callId]);
    }
  }

  /** Returns null if the workflow must dial. Prepares the dial without a slot, so that no other call waits for this call's agent. */
  private async dialPrepared(callId: string, { dial, prepare }: DialSteps): Promise<FinishedStep | null> {
    let prepared: Prepared = {};
    for (;;) {
      const input = { callId, isDirect: true, prepared };
      const step = await this.slots.run('dials', () => this.dialIfRunning(input, dial));
      if (step?.kind !== 'unprepared') return step;
      const more = await prepare({ callId, of: step.of });
      if (more === null || this.steps === null) return null;
      prepared = { ...prepared, ...more };
    }
  }

  private async dialIfRunning(input: Omit<DialInput, 'now'>, dial: DialSteps['dial']): Promise<DialStep> {
    const { workflows, clock } = this.deps;
    // An operator may have terminated the workflow. Reconciliation then ends the call.
    if ((await workflows.state(workflowId.call(input.callId))) !== 'running') return { kind: 'noLine' };
    return dial({ ...input, now: clock() });
  }

  private leaveToWorkflows(callIds: readonly string[]): Promise<void> {
    const { signals, log } = this.deps;
    return signalWorkflows(signals, log, { granted: [...callIds], refillCampaignId: null });
  }
}

function waitMsAfter(step: Exclude<FinishedStep, { kind: 'placed' | 'noLine' | 'notYet' | 'over' }>): number {
  switch (step.kind) {
    case 'paced':
      return step.waitMs;
    case 'unknown':
      return step.dialAgainAfterMs;
    case 'unavailable':
      return dialBackoffMs(1, step.retryAfterMs);
  }
}
