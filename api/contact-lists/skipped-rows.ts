import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { skippedKey, type ListImport, type SkippedRow } from '../../db/contact-lists/imports';
import { LATE_FILE_MS, listForRemoval } from '../../db/organizations/files-to-remove';
import type { ApiDependencies } from '../dependencies';

const MAX_SHOWN = 100;
/** Lines are stored in pieces, because a write for each line would be slow. */
const LINES_PER_WRITE = 500;

const HEADER: (string | number | null)[] = ['row', 'column', 'reason'];

interface OpenFile {
  content: PassThrough;
  stored: Promise<unknown>;
}

/** Counts skipped rows and writes them to a file while the import runs, so that a million of them need no memory. */
export class SkippedRows {
  private readonly shown: SkippedRow[] = [];
  private readonly counts = new Map<string, number>();
  private total = 0;
  private lines: (string | number | null)[][] = [HEADER];
  private file: Promise<OpenFile> | null = null;

  constructor(
    private readonly deps: Pick<ApiDependencies, 'db' | 'storage' | 'clock'>,
    private readonly importId: string,
  ) {}

  async add(skipped: SkippedRow): Promise<void> {
    this.total += 1;
    this.counts.set(skipped.reason, (this.counts.get(skipped.reason) ?? 0) + 1);
    if (this.shown.length < MAX_SHOWN) this.shown.push(skipped);
    this.lines.push([skipped.row, skipped.column, skipped.reason]);
    if (this.lines.length >= LINES_PER_WRITE) await this.write();
  }

  /** Stores the rest of the file. */
  async end(): Promise<Pick<ListImport, 'skipped' | 'skippedByReason' | 'skippedRows'>> {
    if (this.total > 0) {
      const { content, stored } = await this.write();
      content.end();
      await stored;
    }
    const byCount = [...this.counts].sort(([, one], [, other]) => other - one);
    return {
      skipped: this.total,
      skippedByReason: byCount.map(([reason, count]) => ({ reason, count })),
      skippedRows: this.shown,
    };
  }

  /** Gives the file up because the import failed. */
  abandon(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error('the import failed');
    this.file?.then(
      ({ content }) => content.destroy(error),
      () => undefined,
    );
  }

  private async write(): Promise<OpenFile> {
    this.file ??= this.open();
    const file = await this.file;
    const { content } = file;
    if (content.errored !== null) throw content.errored;
    // Escapes formulas, because column names come from the file.
    const text = stringify(this.lines, { record_delimiter: 'windows', escape_formulas: true });
    this.lines = [];
    if (!content.write(text)) await once(content, 'drain');
    return file;
  }

  private async open(): Promise<OpenFile> {
    const { db, storage, clock } = this.deps;
    const key = skippedKey(this.importId);
    // If this process dies, the file is removed later.
    await listForRemoval(db, [key], clock.now() + LATE_FILE_MS);
    const content = new PassThrough();
    content.on('error', () => undefined);
    const stored = storage.putStream(key, content);
    // A failure also ends a write that waits, and `end` reports it.
    stored.catch((error: unknown) => content.destroy(error instanceof Error ? error : undefined));
    return { content, stored };
  }
}
