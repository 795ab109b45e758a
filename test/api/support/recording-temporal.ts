import { TemporalUnavailable } from '../../../api/http/errors/api-error';
import type { CampaignSignal, TemporalPort } from '../../../api/dependencies/temporal-client';
import type { WorkflowSignals } from '../../../runtime/signal-workflows';
import type {
  CallInput,
  CampaignInput,
  DeliveryInput,
  InboundRouteInput,
  RouteChanged,
} from '../../../workflows/contract';

/** A fake Temporal that records requests and can be unreachable. */
export class RecordingTemporal implements TemporalPort {
  readonly campaigns: CampaignInput[] = [];
  readonly calls: CallInput[] = [];
  readonly deliveries: DeliveryInput[] = [];
  readonly routes: (InboundRouteInput & RouteChanged)[] = [];
  readonly signals: { campaignId: string; signal: CampaignSignal }[] = [];
  readonly workflowSignals: WorkflowSignals[] = [];
  unreachable = false;
  /** When a worker last polled for a task. */
  workersSeen: number | null = null;
  /** Runs before the response to a start. A test can do here what a workflow may do before the API receives that response. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();

  async startCampaign(input: CampaignInput): Promise<void> {
    await this.answer(() => this.campaigns.push(input));
  }

  async startCall(input: CallInput): Promise<void> {
    await this.answer(() => this.calls.push(input));
  }

  async startDelivery(input: DeliveryInput): Promise<void> {
    await this.answer(() => this.deliveries.push(input));
  }

  async signalRoute(change: InboundRouteInput & RouteChanged): Promise<void> {
    await this.answer(() => this.routes.push(change));
  }

  async signalCampaign(campaignId: string, signal: CampaignSignal): Promise<void> {
    await this.answer(() => this.signals.push({ campaignId, signal }));
  }

  /** Never fails; a signal that can't be sent is lost. */
  async signalWorkflows(announcement: WorkflowSignals): Promise<void> {
    await this.beforeAnswer();
    if (!this.unreachable) this.workflowSignals.push(announcement);
  }

  async check(): Promise<void> {
    await this.answer(() => undefined);
  }

  async workersSeenAt(): Promise<number | null> {
    await this.answer(() => undefined);
    return this.workersSeen;
  }

  private async answer(record: () => unknown): Promise<void> {
    await this.beforeAnswer();
    if (this.unreachable) throw new TemporalUnavailable(new Error('connect ECONNREFUSED'));
    record();
  }
}
