import { PassThrough } from 'node:stream';
import type { CampaignProgressBody } from './resource';

/** How long a browser waits before it comes again. */
const RETRY_MS = 3_000;
/** Of somebody who takes nothing: the next change that is sent says all that was left out. */
const MOST_WAITING_BYTES = 64 * 1024;

export interface Watched {
  clientId: string;
  /** Null for all campaigns of the client that have not ended. */
  campaignId: string | null;
  /** Rejects once whoever watches may not any more. */
  recheck: () => Promise<unknown>;
}

/** One answer of server-sent events. */
export class ProgressStream {
  readonly out = new PassThrough();
  /** What was sent last, by campaign. */
  private readonly sent = new Map<string, string>();
  private readonly over = new Set<string>();

  constructor(readonly watched: Watched) {
    this.out.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Those of a list that have ended are read once more, and then no longer. */
  get campaignIds(): string[] {
    const { campaignId } = this.watched;
    return campaignId === null ? [...this.sent.keys()].filter((id) => !this.over.has(id)) : [campaignId];
  }

  /** Only what has changed. */
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
