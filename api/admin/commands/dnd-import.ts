import type { Command } from 'commander';
import { addDndNumbers } from '../../../db/calls/do-not-disturb';
import { importedNumbers, ofFile, type FileOptions } from '../imported-numbers';
import { label } from '../option-values';
import { requireOrganization } from '../organization';
import { audited } from '../session';
import type { Terminal } from '../terminal';
import { runs, verb, type Admin } from '../verb';

interface ImportOptions extends FileOptions {
  org: string;
  source?: string;
}

const counted = (n: number): string => n.toLocaleString('en');

export function importNumbers(dnd: Command, admin: Admin): void {
  const command = ofFile(
    verb(dnd, 'import', 'add the numbers of a file: one per line, or a column of a CSV file', [
      'import --org Acme numbers.txt',
      'import --org Acme customers.csv --column "Telephone" --skip-bad',
    ]),
  ).option('--source <text>', 'source of the entries; default "import"', label);
  runs<ImportOptions>(command, admin, async (session, options, path = '') => {
    const { terminal } = session;
    const organization = await requireOrganization(session.db, options.org);
    const { numbers, duplicates, faults } = await importedNumbers(terminal, path, options);
    const added = await audited(session, async (trx, now) => {
      const source = options.source ?? 'import';
      const onProgress = progressIn(terminal, numbers.length);
      const count = await addDndNumbers(trx, {
        organizationId: organization.id,
        numbers,
        source,
        now,
        onProgress,
      });
      const record = {
        organizationId: organization.id,
        action: 'dnd.import' as const,
        subjectId: organization.id,
      };
      return { answer: count, record: count > 0 ? record : null };
    });
    const json = {
      added,
      already_listed: numbers.length - added,
      duplicates,
      skipped: faults.length,
    };
    const text =
      `Added ${counted(added)} numbers; ${counted(json.already_listed)} were already listed. ` +
      `Skipped ${counted(duplicates)} duplicates and ${counted(faults.length)} invalid rows.`;
    return { text, json };
  });
}

/** Reports progress every 10 %. */
function progressIn(terminal: Terminal, total: number): (done: number) => void {
  let printed = 0;
  return (done) => {
    const tenth = Math.floor((10 * done) / total);
    if (tenth === printed || total <= 10_000) return;
    printed = tenth;
    terminal.note(`${counted(done)} of ${counted(total)} numbers written`);
  };
}
