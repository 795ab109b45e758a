/**
 * Dials calls as soon as they get a line, without waiting for a task of their workflow. A direct dial is the workflow's own dial, under the
 * same intent, so a call that both dial is dialled once. If it can't finish, the workflow dials
 * (docs/decisions/0029-direct-dials.md).
 */
import { signalWorkflows, type SignalSender } from '../../runtime/signal-workflows';
import { workflowId } from '../../workflows/contract';
import type { ActivityDependencies } from '../dependencies';
import type { DialInput, DialStep } from './dialling';

interface DirectDialDependencies extends Pick<ActivityDependencies, 'workflows' | 'log' | 'clock'> {
  /** Signals workflows, without `dial`. */
  signals: SignalSender;
}

type Dial = (input: DialInput) => Promise<DialStep>;

export class DirectDials {
  /** Null until the activities exist and after `stop()`. */
  private dialNow: Dial | null = null;
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly deps: DirectDialDependencies) {}

  start(dial: Dial): void {
    this.dialNow = dial;
  }

  /** Never throws. Reconciliation signals the workflow of a call that no run dials. */
  readonly dial = (callIds: readonly string[]): void => {
    const { dialNow } = this;
    if (dialNow === null) return;
    for (const callId of callIds) {
      const work = this.dialOne(callId, dialNow).finally(() => this.underWay.delete(work));
      this.underWay.add(work);
    }
  };

  /** Resolves when no dial is in progress. */
  async stop(): Promise<void> {
    this.dialNow = null;
    await Promise.all(this.underWay);
  }

  private async dialOne(callId: string, dial: Dial): Promise<void> {
    const { workflows, signals, log, clock } = this.deps;
    try {
      // An operator may have terminated the workflow. Reconciliation then ends the call.
      if ((await workflows.state(workflowId.call(callId))) !== 'running') return;
      const step = await dial({ callId, now: clock(), isDirect: true });
      if (step.kind === 'placed' || step.kind === 'noLine') return;
      if (step.kind === 'over') {
        const { callStatus } = step;
        const ended = callStatus === null ? {} : { ended: { callId, callStatus } };
        return await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ...ended });
      }
    } catch (error) {
      log.warn(
        { call_id: callId, error: error instanceof Error ? error.name : 'unknown' },
        'a direct dial failed: the workflow dials',
      );
    }
    await signalWorkflows(signals, log, { granted: [callId], refillCampaignId: null });
  }
}
