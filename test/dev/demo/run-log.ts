import type { ReceiverEntry } from '../../../dev/receiver/log';
import type { LogEntry } from '../../../dev/simulator/log';

const START_MS = Date.parse('2026-11-20T10:00:00.000Z');
const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

export const CAMPAIGN_ID = 'c1';

/** Builds the simulator's and the receiver's logs of a run, call by call. */
export class RunLog {
  readonly simulator: LogEntry[] = [];
  readonly receiver: ReceiverEntry[] = [];
  private calls = 0;

  /** Adds a POST and the carrier's status. Even status 201 doesn't place a call here. */
  posted(to: string, reference: string, status = 201): this {
    this.simulator.push({
      kind: 'request',
      at: at(0),
      method: 'POST',
      path: '/calls',
      status,
      reference,
      to,
    });
    return this;
  }

  placed(to: string, reference: string, fromS: number): string {
    const carrierId = `sim_${(this.calls += 1)}`;
    this.simulator.push({
      kind: 'placed',
      at: at(fromS),
      direction: 'outbound',
      carrier_id: carrierId,
      reference,
      to,
      from: null,
      events_url: 'http://127.0.0.1:9/events',
      steps: [],
    });
    return carrierId;
  }

  state(to: string, carrierId: string, atS: number, state: 'answered' | 'ended'): this {
    this.simulator.push({
      kind: 'state',
      at: at(atS),
      carrier_id: carrierId,
      reference: null,
      to,
      state,
      end_reason: null,
      sip_status: null,
      answered_by: null,
    });
    return this;
  }

  /** Adds a complete call and its webhook. */
  call(to: string, reference: string, options: { fromS: number; toS: number; answered: boolean }): this {
    this.posted(to, reference);
    const carrierId = this.placed(to, reference, options.fromS);
    if (options.answered) this.state(to, carrierId, options.fromS, 'answered');
    return this.state(to, carrierId, options.toS, 'ended').notified(reference);
  }

  notified(callId: string | null, differences: Partial<ReceiverEntry> = {}): this {
    this.receiver.push({
      at: at(0),
      path: '/calls',
      event: callId === null ? 'campaign.completed' : 'call.completed',
      event_id: `event-of-${callId}`,
      attempt: 1,
      call_id: callId,
      campaign_id: CAMPAIGN_ID,
      valid: true,
      fault: null,
      timestamp: null,
      signature: null,
      status: 200,
      ...differences,
    });
    return this;
  }
}
