/** Reads the file of an import command: one phone number per line, or a column of a CSV file. */
import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { CsvError, parse } from 'csv-parse/sync';
import { errorCode } from '../../db/kernel/error-code';
import { label } from './option-values';
import type { Terminal } from './terminal';
import { UsageError } from './session';
import { PATTERNS } from '../../domain/agent-config/forms';
import { ANY_NUMBER, normalisePhone } from '../../domain/phone-number';

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
 * Reads the numbers of a file and prints its invalid rows. Throws if there are invalid rows and `--skip-bad` isn't set, or if no number
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

const MAX_ROWS = 1_000_000;
const MAX_RECORD_BYTES = 64 * 1024;

/** Lowercase column titles without spaces, hyphens and underscores. */
const PHONE_TITLES: ReadonlySet<string> = new Set([
  ...['phonenumber', 'phone', 'mobile', 'mobilenumber', 'contact', 'contactnumber', 'number', 'msisdn'],
]);

interface NumberFile {
  /** Unique E.164 numbers. */
  numbers: string[];
  /** Number of rows that repeat an earlier number. */
  duplicates: number;
  faults: RowFault[];
}

/** `row` is the spreadsheet's row number. The reason doesn't contain the phone number. */
interface RowFault {
  row: number;
  reason: string;
}

/** Returns E.164, or why the text isn't a phone number. */
function readNumber(text: string): { e164: string } | { fault: string } {
  return normalisePhone(text, ANY_NUMBER);
}

/** Like `readNumber`, but also accepts special series such as 140 and 1600 in India, which the library considers invalid. */
export function readOwnNumber(text: string): { e164: string } | { fault: string } {
  const reading = readNumber(text);
  return 'fault' in reading && PATTERNS.e164.test(text.trim()) ? { e164: text.trim() } : reading;
}

/** Reads a number from the command line. Throws if it isn't valid. */
export function givenNumber(text: string, read = readNumber): string {
  const reading = read(text);
  if ('fault' in reading) throw new UsageError(`The number ${reading.fault}`);
  return reading.e164;
}

/**
 * Returns the valid numbers and a fault for each other row. `column` is the title of the number column; by default a common title is used,
 * and a file with a single column needs no title. Throws if the file can't be parsed.
 */
export function readNumberFile(content: Buffer, column: string | null, read = readNumber): NumberFile {
  const records = recordsOf(decoded(content));
  const { index, hasHeader } = phoneColumn(records, column);
  const seen = new Set<string>();
  const faults: RowFault[] = [];
  let duplicates = 0;
  for (const [position, cells] of records.entries()) {
    if ((hasHeader && position === headerPosition(records)) || isBlank(cells)) continue;
    const reading = read(cells[index] ?? '');
    if ('fault' in reading) faults.push({ row: position + 1, reason: reading.fault });
    else if (seen.has(reading.e164)) duplicates += 1;
    else seen.add(reading.e164);
  }
  return { numbers: [...seen], duplicates, faults };
}

function decoded(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new UsageError('The file is not encoded in UTF-8. Save it as "CSV UTF-8" or as plain text', {
      cause: error,
    });
  }
}

function recordsOf(text: string): string[][] {
  try {
    const records: string[][] = parse(text, {
      columns: false,
      delimiter: [',', ';', '\t'],
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_RECORD_BYTES,
      to: MAX_ROWS + 1,
    });
    if (records.length <= MAX_ROWS) return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = typeof error.records === 'number' ? error.records + 1 : 1;
    throw new UsageError(
      `Row ${row} is not valid CSV. Check for an unclosed quote, or a quote inside a cell`,
      {
        cause: error,
      },
    );
  }
  throw new UsageError(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Import it in parts`);
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

const headerPosition = (records: readonly string[][]): number =>
  records.findIndex((cells) => !isBlank(cells));

const bare = (title: string): string => title.toLowerCase().replace(/[\s\-_]/g, '');

function phoneColumn(
  records: readonly string[][],
  column: string | null,
): { index: number; hasHeader: boolean } {
  const header = records[headerPosition(records)] ?? [];
  const isPhone = (title: string): boolean =>
    column === null ? PHONE_TITLES.has(bare(title)) : title.trim() === column;
  const [index, ...others] = [...header.keys()].filter((position) => isPhone(header[position] ?? ''));
  if (others.length > 0)
    throw new UsageError('Several columns may contain the numbers. Choose one with --column');
  if (index !== undefined) return { index, hasHeader: true };
  if (column !== null) throw new UsageError('The first row has no column with the title given by --column');
  // A blank cell after a delimiter isn't a second column.
  if (header.filter((cell) => cell.trim() !== '').length <= 1) return { index: 0, hasHeader: false };
  throw new UsageError('No column is named phone_number. Use --column to choose the one with the numbers');
}
