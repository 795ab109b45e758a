/**
 * Sends the progress of campaigns to their watchers. One query per second serves all watchers of a process, and without watchers there are
 * no queries.
 */
import { PassThrough, type Readable } from 'node:stream';
import { localWindow } from '../../../db/campaigns/engine';
import { openCampaigns, outcomesOf, progressOf, type CampaignProgress } from '../../../db/campaigns/progress';
import type { Db } from '../../../db/kernel/connection';
import { type FinalCallStatus, FINAL_STATUSES } from '../../../domain/call-outcome';
import { withTimeout } from '../../../runtime/network/time-limit';
import { Shares } from '../../../runtime/shares';
import { rateLimited, serviceUnavailable } from '../../http/errors/refusals';
import { outsideRequest } from '../../http/log';
import type { CampaignSnapshot } from '../../../db/campaigns/snapshot';
import { scheduleOf } from '../../../domain/calling-window';
import { CAMPAIGN_STATS, CAMPAIGN_STATUSES, statsOf } from '../../../domain/campaign-status';
import { describeStep, nextStep } from '../../../domain/campaign-step';
import { campaignWindow } from '../../../domain/rules/campaign-window';
import type { RuleProfile } from '../../../domain/rules/profile';
import type { ApiSettings } from '../../settings';
import { operatorProfile } from '../campaign-rules';
import { iso } from '../../http/responses';
import { id, integer, oneOf, text, timestamp } from '../../http/schema/kinds';
import { about, list, nullable, object, type ValueOf } from '../../http/schema/field';
import { fieldOf } from '../../http/schema/shape';

export interface LiveProgressOptions {
  db: Db;
  clock: { now(): number };
  settings: Pick<ApiSettings, 'ruleProfile'>;
  isDraining: () => boolean;
  everyMs?: number;
  heartbeatMs?: number;
  maxPerOrganization?: number;
}

const EVERY_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** Covers the browser tabs of a whole organization in this process. */
const MAX_PER_ORGANIZATION = 50;
const MAX_TOTAL = 1_000;
/** Share of time that may be spent counting outcomes. A campaign of a million calls is therefore counted every few seconds. */
const OUTCOMES_SHARE = 0.05;

interface Counted {
  outcomes: Partial<Record<FinalCallStatus, number>>;
  againAt: number;
}

export class LiveProgress {
  private readonly streams = new Set<ProgressStream>();
  private readonly counted = new Map<string, Counted>();
  private isRunning = false;
  private wake: () => void = () => undefined;
  private beatAt = 0;

  private readonly shares: Shares;

  constructor(private readonly options: LiveProgressOptions) {
    const { maxPerOrganization = MAX_PER_ORGANIZATION } = options;
    this.shares = new Shares({ max: MAX_TOTAL, maxPerOwner: maxPerOrganization });
  }

  /** The stream ends when its reader leaves, when `recheck` rejects or when the process stops. @throws ApiError if there are too many streams */
  open(watched: Watched): Readable {
    if (this.options.isDraining()) throw serviceUnavailable();
    const release = this.shares.take(watched.organizationId);
    if (release === null) throw this.streams.size < MAX_TOTAL ? rateLimited(5) : serviceUnavailable();
    const stream = new ProgressStream(watched);
    this.streams.add(stream);
    stream.out.once('close', () => {
      this.streams.delete(stream);
      release();
      if (this.streams.size === 0) this.wake();
    });
    if (this.isRunning) this.wake();
    else void outsideRequest(() => this.run());
    return stream.out;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    this.beatAt = performance.now() + (this.options.heartbeatMs ?? HEARTBEAT_MS);
    while (this.streams.size > 0 && !this.options.isDraining()) {
      // Postgres is down: watchers receive the changes once it is back.
      await this.read().catch(() => undefined);
      if (performance.now() >= this.beatAt) this.beat();
      if (this.streams.size > 0) await this.pause();
    }
    for (const stream of this.streams) stream.end();
    this.counted.clear();
    this.isRunning = false;
  }

  /** Ends early when a watcher connects, so that its first event is sent immediately. */
  private pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    return withTimeout(this.options.everyMs ?? EVERY_MS, woken, () => undefined);
  }

  private beat(): void {
    this.beatAt = performance.now() + (this.options.heartbeatMs ?? HEARTBEAT_MS);
    for (const stream of this.streams) {
      stream.beat();
      stream.watched.recheck().catch(() => stream.end());
    }
  }

  private async read(): Promise<void> {
    const { db, clock, settings } = this.options;
    const lists = [...this.streams].filter(({ watched }) => watched.campaignId === null);
    const organizationIds = [...new Set(lists.map(({ watched }) => watched.organizationId))];
    const listed = organizationIds.length === 0 ? [] : await openCampaigns(db, organizationIds);
    const ids = new Set([...this.streams].flatMap(({ campaignIds }) => campaignIds));
    for (const { id } of listed) ids.add(id);
    const now = clock.now();
    for (const campaign of ids.size === 0 ? [] : await progressOf(db, [...ids], now)) {
      const outcomes = await this.outcomes(campaign.id);
      const step = await nextStepOf(db, campaign, { now, ofOperator: operatorProfile(settings) });
      const progress = presentProgress(campaign, outcomes, step);
      for (const stream of this.streams) if (isWatched(stream, campaign)) stream.send(progress);
    }
    for (const id of this.counted.keys()) if (!ids.has(id)) this.counted.delete(id);
  }

  private async outcomes(campaignId: string): Promise<Counted['outcomes']> {
    const known = this.counted.get(campaignId);
    const startedAt = performance.now();
    if (known !== undefined && known.againAt > startedAt) return known.outcomes;
    const outcomes = await outcomesOf(this.options.db, campaignId);
    const endedAt = performance.now();
    this.counted.set(campaignId, { outcomes, againAt: endedAt + (endedAt - startedAt) / OUTCOMES_SHARE });
    return outcomes;
  }
}

const isWatched = (
  { watched }: ProgressStream,
  { id, organizationId }: { id: string; organizationId: string },
): boolean =>
  watched.organizationId === organizationId && (watched.campaignId === null || watched.campaignId === id);

/** Delay before a browser reconnects. */
const RETRY_MS = 3_000;
/** A watcher that reads too slowly skips events. Its next event contains everything it missed. */
const MAX_WAITING_BYTES = 64 * 1024;

interface Watched {
  organizationId: string;
  /** If null, all open campaigns of the organization are watched. */
  campaignId: string | null;
  /** Rejects once the watcher is no longer authorized. */
  recheck: () => Promise<unknown>;
}

/** A stream of server-sent events. */
class ProgressStream {
  readonly out = new PassThrough();
  /** Last data sent, by campaign. */
  private readonly sent = new Map<string, string>();
  private readonly over = new Set<string>();

  constructor(readonly watched: Watched) {
    this.out.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** A watcher of all campaigns also reads those that have just ended, one last time. */
  get campaignIds(): string[] {
    const { campaignId } = this.watched;
    return campaignId === null ? [...this.sent.keys()].filter((id) => !this.over.has(id)) : [campaignId];
  }

  /** Skips progress that hasn't changed. */
  send(progress: CampaignProgressBody): void {
    const data = JSON.stringify(progress);
    if (this.sent.get(progress.campaign_id) === data) return;
    if (this.out.writableLength + this.out.readableLength > MAX_WAITING_BYTES) return;
    this.sent.set(progress.campaign_id, data);
    if (progress.ended_at !== null) this.over.add(progress.campaign_id);
    this.out.write(`event: progress\ndata: ${data}\n\n`);
  }

  beat(): void {
    if (this.out.readableLength <= MAX_WAITING_BYTES) this.out.write(': heartbeat\n\n');
  }

  end(): void {
    this.out.end();
  }
}

export const campaignProgress = object(
  {
    campaign_id: id(),
    campaign_status: oneOf(...CAMPAIGN_STATUSES),
    status_reason: about(nullable(text()), 'Reason why the campaign is not dialling; null while it dials'),
    stats: fieldOf(CAMPAIGN_STATS),
    call_concurrency: about(integer(1), 'Maximum number of live calls of the campaign'),
    lines_in_use: about(integer(0), 'Number of calls that hold a line'),
    waiting_calls: about(integer(0), 'Number of calls that wait for a line'),
    calls_per_minute: about(integer(0), 'Calls dialled in the last minute'),
    outcomes: about(
      list(object({ call_status: oneOf(...FINAL_STATUSES), calls: integer(0) }, { name: 'CampaignOutcome' })),
      'Results of its calls. Updated less often for large campaigns',
    ),
    next_step: about(
      text(),
      'Next action of the engine, as text for people',
      'dialling; the window closes 14:29 UTC',
    ),
    next_redial_at: about(nullable(timestamp()), 'Due time of the next redial that is not yet due'),
    ended_at: nullable(timestamp()),
  },
  { name: 'CampaignProgress' },
);
type CampaignProgressBody = ValueOf<typeof campaignProgress>;

function presentProgress(
  campaign: CampaignProgress,
  outcomes: Partial<Record<FinalCallStatus, number>>,
  nextStep: string,
): CampaignProgressBody {
  return {
    campaign_id: campaign.id,
    campaign_status: campaign.status,
    status_reason: campaign.statusReason,
    stats: statsOf(campaign),
    call_concurrency: campaign.concurrency,
    lines_in_use: campaign.liveCalls,
    waiting_calls: campaign.waitingCalls,
    calls_per_minute: campaign.dialledInLastMinute,
    outcomes: FINAL_STATUSES.flatMap((status) => {
      const calls = outcomes[status] ?? 0;
      return calls === 0 ? [] : [{ call_status: status, calls }];
    }),
    next_step: nextStep,
    next_redial_at: iso(campaign.nextDueAt),
    ended_at: iso(campaign.endedAt),
  };
}

interface CampaignSituation extends CampaignSnapshot {
  id: string;
  endedAt: Date | null;
  contactsLeft: boolean;
  nextDueAt: Date | null;
  waitingCalls: number;
  liveCalls: number;
  total: number;
  completed: number;
  failed: number;
}

/** Describes the engine's next step in words. Leaves out the reason for a pause. */
export async function nextStepOf(
  db: Db,
  campaign: CampaignSituation,
  { now, ofOperator }: { now: number; ofOperator: RuleProfile | null },
): Promise<string> {
  if (campaign.endedAt !== null) return 'none; the campaign has ended';
  const window = await localWindow(db, campaign.id, campaignWindow(campaign, ofOperator, now));
  const step = nextStep(
    {
      status: campaign.status,
      statusReason: null,
      schedule: scheduleOf(campaign),
      ...(window !== null && { localWindow: window }),
      contactsLeft: campaign.contactsLeft,
      nextDueAt: campaign.nextDueAt?.getTime() ?? null,
      waitingCalls: campaign.waitingCalls,
      liveCalls: campaign.liveCalls,
      // The last calls are processed within seconds, so this isn't worth a query over all calls of a large campaign.
      unconcludedCalls: 0,
      requestedCalls: 0,
      endedContacts: campaign.completed + campaign.failed,
      total: campaign.total,
    },
    now,
  );
  return describeStep(step);
}
