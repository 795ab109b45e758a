/** The numbers of a file: one a line, or a column of a csv file. */
import { CsvError, parse } from 'csv-parse/sync';
import { PATTERNS } from '../../domain/agent-config/forms';
import { ANY_NUMBER, normalisePhone } from '../../domain/phone-number';
import { UsageError } from './usage-error';

const MAX_ROWS = 1_000_000;
const MAX_RECORD_BYTES = 64 * 1024;

/** Blanks, hyphens, underscores and case do not matter. */
const PHONE_TITLES: ReadonlySet<string> = new Set([
  ...['phonenumber', 'phone', 'mobile', 'mobilenumber', 'contact', 'contactnumber', 'number', 'msisdn'],
]);

export interface NumberFile {
  /** E.164, each once. */
  numbers: string[];
  /** Rows that repeat a number of an earlier one. */
  duplicates: number;
  faults: RowFault[];
}

/** `row` is the spreadsheet's. The reason does not name the number. */
export interface RowFault {
  row: number;
  reason: string;
}

/** E.164, or why the text is no phone number. */
export function readNumber(text: string): { e164: string } | { fault: string } {
  return normalisePhone(text, ANY_NUMBER);
}

/** The same of a number of ours. Those of special series, such as 140 and 1600 in India, are no valid numbers to the library. */
export function readOwnNumber(text: string): { e164: string } | { fault: string } {
  const reading = readNumber(text);
  return 'fault' in reading && PATTERNS.e164.test(text.trim()) ? { e164: text.trim() } : reading;
}

/** E.164 of one that is given at the command line. Fails on what is none. */
export function givenNumber(text: string, read = readNumber): string {
  const reading = read(text);
  if ('fault' in reading) throw new UsageError(`The number ${reading.fault}`);
  return reading.e164;
}

/**
 * Every row that holds a number, and what is wrong with the others. `column` names the column of the numbers; without it, it is the
 * one with a usual title, and a file of single cells needs no title. Fails on a file that cannot be read as rows at all.
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
    throw new UsageError('The file is not encoded in UTF-8: save it as "CSV UTF-8", or as plain text', {
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
    throw new UsageError(`Row ${row} cannot be read as csv: is a quote open, or inside a cell?`, {
      cause: error,
    });
  }
  throw new UsageError(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows: import it in parts`);
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
    throw new UsageError('Several columns may hold the numbers: say which with --column');
  if (index !== undefined) return { index, hasHeader: true };
  if (column !== null) throw new UsageError('The first row has no column of the name that --column says');
  // A blank cell after a delimiter is no second column.
  if (header.filter((cell) => cell.trim() !== '').length <= 1) return { index: 0, hasHeader: false };
  throw new UsageError('No column is called phone_number: say with --column which one holds the numbers');
}
