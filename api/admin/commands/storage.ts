import type { Command } from 'commander';
import { recordAudit } from '../../../db/organizations/audit';
import { forEachAtOnce } from '../../../runtime/shares';
import { StorageUnavailable } from '../../../runtime/storage/file-storage';
import type { FileMove, Move } from '../../../runtime/storage';
import type { Terminal } from '../terminal';
import { UsageError } from '../session';
import { noun, runs, verb, type Admin } from '../verb';

/** Number of files moved concurrently. With remote storage, several small files take as long as one. */
const AT_ONCE = 8;

export function storageCommands(program: Command, admin: Admin): void {
  const storage = noun(program, 'storage', 'storage of contact files and recordings');
  const summary = 'move files from DATA_DIR to the S3 bucket; run it again after an error to continue';
  runs(verb(storage, 'move', summary, ['move']), admin, async (session) => {
    const { fileMove, db, actor, clock, terminal } = session;
    if (fileMove === null)
      throw new UsageError('No bucket is configured. Set S3_BUCKET to the same value as for the API');
    const counts = await moveAll(fileMove, terminal);
    const done = counts.moved + counts.there;
    if (done > 0) {
      const record = { organizationId: null, action: 'storage.move' as const, subjectId: 'S3_BUCKET' };
      await recordAudit(db, { ...record, actor, now: clock.now() });
    }
    const text =
      `Moved ${counts.moved} files. ` +
      `${counts.there} were already in the bucket, and ${counts.gone} were deleted while the command ran.`;
    return {
      text,
      json: { moved: counts.moved, already_there: counts.there, removed_meanwhile: counts.gone },
    };
  });
}

async function moveAll(files: FileMove, terminal: Terminal): Promise<Record<Move, number>> {
  const counts: Record<Move, number> = { moved: 0, there: 0, gone: 0 };
  const keys = await files.keys();
  let done = 0;
  const note = progressIn(terminal, keys.length);
  try {
    await forEachAtOnce(AT_ONCE, keys, async (key) => {
      counts[await files.move(key)] += 1;
      note((done += 1));
    });
    return counts;
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new UsageError(
      `${error.message}. ${done} of ${keys.length} files were moved. Run the command again to move the rest`,
    );
  }
}

/** Reports progress every 10 %. */
function progressIn(terminal: Terminal, total: number): (done: number) => void {
  let printed = 0;
  return (done) => {
    const tenth = Math.floor((10 * done) / total);
    if (tenth === printed) return;
    printed = tenth;
    terminal.note(`${done} of ${total} files moved`);
  };
}
