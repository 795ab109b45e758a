import { PassThrough } from 'node:stream';
import type { CampaignProgressBody } from './resource';

/** Delay before a browser reconnects. */
const RETRY_MS = 3_000;
/** A watcher that reads too slowly skips events. Its next event contains everything it missed. */
const MOST_WAITING_BYTES = 64 * 1024;

export interface Watched {
  organizationId: string;
  /** Null watches all open campaigns of the organization. */
  campaignId: string | null;
  /** Rejects once the watcher is no longer authorized. */
  recheck: () => Promise<unknown>;
}

/** A stream of server-sent events. */
export class ProgressStream {
  readonly out = new PassThrough();
  /** Last data sent, by campaign. */
  private readonly sent = new Map<string, string>();
  private readonly over = new Set<string>();

  constructor(readonly watched: Watched) {
    this.out.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** In a list, campaigns that have ended are read one last time. */
  get campaignIds(): string[] {
    const { campaignId } = this.watched;
    return campaignId === null ? [...this.sent.keys()].filter((id) => !this.over.has(id)) : [campaignId];
  }

  /** Skips progress that hasn't changed. */
  send(progress: CampaignProgressBody): void {
    const data = JSON.stringify(progress);
    if (this.sent.get(progress.campaign_id) === data) return;
    if (this.out.writableLength + this.out.readableLength > MOST_WAITING_BYTES) return;
    this.sent.set(progress.campaign_id, data);
    if (progress.ended_at !== null) this.over.add(progress.campaign_id);
    this.out.write(`event: progress\ndata: ${data}\n\n`);
  }

  beat(): void {
    if (this.out.readableLength <= MOST_WAITING_BYTES) this.out.write(': heartbeat\n\n');
  }

  end(): void {
    this.out.end();
  }
}
