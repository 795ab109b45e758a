import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { addDndNumbers } from '../../../db/calls/do-not-disturb';
import { errorCode } from '../../../db/kernel/error-code';
import { readDndFile, type DndFault } from '../dnd-file';
import { label } from '../option-values';
import { organisation } from '../organisation';
import { audited } from '../session';
import type { Terminal } from '../terminal';
import { UsageError } from '../usage-error';
import { runs, verb, type Admin } from '../verb';

/** A million numbers with a name beside each. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
const SHOWN_FAULTS = 20;

interface ImportOptions {
  org: string;
  column?: string;
  source?: string;
  skipBad?: true;
}

const counted = (n: number): string => n.toLocaleString('en');

export function importNumbers(dnd: Command, admin: Admin): void {
  const command = verb(dnd, 'import', 'the numbers of a file: one a line, or a column of a csv file', [
    'import --org Acme numbers.txt',
    'import --org Acme customers.csv --column "Telephone" --skip-bad',
  ])
    .argument('<file>', 'plain text or csv, in UTF-8')
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--column <title>',
      'the column of the numbers; default: the one called phone_number or alike',
      label,
    )
    .option('--source <text>', 'where they came from; default "import"', label)
    .option('--skip-bad', 'leave out rows without a valid number; else such a row refuses the file');
  runs<ImportOptions>(command, admin, async (session, options, path = '') => {
    const { terminal } = session;
    const client = await organisation(session.db, options.org);
    const { numbers, duplicates, faults } = readDndFile(
      await contentOf(path),
      options.column?.trim() ?? null,
    );
    printFaults(terminal, faults);
    if (faults.length > 0 && options.skipBad !== true) {
      throw new UsageError('Nothing was imported: mend these rows, or leave them out with --skip-bad');
    }
    if (numbers.length === 0) throw new UsageError('The file holds no numbers: nothing was imported');
    const added = await audited(session, async (trx, now) => {
      const source = options.source ?? 'import';
      const onProgress = progressIn(terminal, numbers.length);
      const count = await addDndNumbers(trx, { clientId: client.id, numbers, source, now, onProgress });
      const record = { clientId: client.id, action: 'dnd.import', subjectId: client.id };
      return { answer: count, record: count > 0 ? record : null };
    });
    const json = {
      added,
      already_listed: numbers.length - added,
      duplicates,
      skipped: faults.length,
    };
    const text =
      `${counted(added)} numbers are on the list now, ${counted(json.already_listed)} were before. ` +
      `Left out: ${counted(duplicates)} repeated, ${counted(faults.length)} bad.`;
    return { text, json };
  });
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new UsageError('The file is larger than 100 MiB: import it in parts');
    return await readFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') throw new UsageError(`There is no file ${path}`, { cause: error });
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder`, { cause: error });
    if (code === 'EACCES') throw new UsageError(`${path} may not be read by this user`, { cause: error });
    throw error;
  }
}

function printFaults(terminal: Terminal, faults: readonly DndFault[]): void {
  for (const { row, reason } of faults.slice(0, SHOWN_FAULTS)) terminal.note(`Row ${row} ${reason}`);
  const more = faults.length - SHOWN_FAULTS;
  if (more > 0) terminal.note(`${counted(more)} more rows are bad`);
}

/** A line for each tenth of the way. */
function progressIn(terminal: Terminal, total: number): (done: number) => void {
  let printed = 0;
  return (done) => {
    const tenth = Math.floor((10 * done) / total);
    if (tenth === printed || total <= 10_000) return;
    printed = tenth;
    terminal.note(`${counted(done)} of ${counted(total)} numbers written`);
  };
}
