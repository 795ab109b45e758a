import { errorName, type Log } from '../log';
import type { PendingRecordings } from '../platform/pending-recordings';

const PASS_EVERY_MS = 30_000;

/** Uploads recordings that conversations left on disk, including those from earlier runs of this worker. One pass runs at a time. */
export class RecordingUploads {
  private readonly timer: NodeJS.Timeout;
  private isUnderWay = false;

  constructor(
    private readonly pending: PendingRecordings,
    private readonly apiUrl: string,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => void this.pass(), PASS_EVERY_MS);
    this.timer.unref();
    void this.pass();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async pass(): Promise<void> {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      await this.pending.upload(this.apiUrl, this.log);
    } catch (error) {
      this.log.error({ error: errorName(error) }, 'recordings on disk could not be uploaded');
    } finally {
      this.isUnderWay = false;
    }
  }
}
