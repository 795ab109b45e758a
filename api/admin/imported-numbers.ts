/** Reads the file of an import command. */
import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { errorCode } from '../../db/kernel/error-code';
import { readNumber, readNumberFile, type NumberFile, type RowFault } from './number-file';
import { label } from './option-values';
import type { Terminal } from './terminal';
import { UsageError } from './usage-error';

/** Enough for a million numbers with names. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
const TOO_LARGE = 'The file is larger than 100 MiB. Import it in parts';
const SHOWN_FAULTS = 20;

export interface FileOptions {
  column?: string;
  skipBad?: true;
}

export const ofFile = (command: Command): Command =>
  command
    .argument('<file>', 'plain text or CSV in UTF-8; - reads standard input')
    .requiredOption('--org <org>', 'id or name')
    .option('--column <title>', 'column with the numbers; default: phone_number or a similar title', label)
    .option('--skip-bad', 'skip rows without a valid number; without it, one invalid row rejects the file');

/**
 * Reads the numbers of a file and prints its invalid rows. Throws if there are invalid rows and `--skip-bad` wasn't given, or if no number
 * is left.
 */
export async function importedNumbers(
  terminal: Terminal,
  path: string,
  { column, skipBad }: FileOptions,
  read = readNumber,
): Promise<NumberFile> {
  const content = path === '-' ? await terminal.readInput(MAX_FILE_BYTES + 1) : await contentOf(path);
  if (content.length > MAX_FILE_BYTES) throw new UsageError(TOO_LARGE);
  const file = readNumberFile(content, column?.trim() ?? null, read);
  printFaults(terminal, file.faults);
  if (file.faults.length > 0 && skipBad !== true) {
    throw new UsageError('Nothing was imported. Correct these rows, or skip them with --skip-bad');
  }
  if (file.numbers.length === 0) throw new UsageError('Nothing was imported. The file contains no numbers');
  return file;
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new UsageError(TOO_LARGE);
    return await readFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') {
      const hint = 'In a container, pipe the file to standard input and use - as its name';
      throw new UsageError(`There is no file ${path}. ${hint}`, { cause: error });
    }
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder`, { cause: error });
    if (code === 'EACCES') throw new UsageError(`${path} cannot be read by this user`, { cause: error });
    throw error;
  }
}

function printFaults(terminal: Terminal, faults: readonly RowFault[]): void {
  for (const { row, reason } of faults.slice(0, SHOWN_FAULTS)) terminal.note(`Row ${row} ${reason}`);
  const more = faults.length - SHOWN_FAULTS;
  if (more > 0) terminal.note(`${more.toLocaleString('en')} more rows are invalid`);
}
