import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { refuseFile, type ContactFileRefusal } from '../result';
import { isReadPart, NOT_A_WORKBOOK, WORKBOOK_PART } from './workbook-parts';
import { refuseContent } from './zip-content';

/** Office writes a part for each sheet, picture and chart; a workbook of contacts has a dozen. */
const MAX_ENTRIES = 1_000;

const MIB = 1024 * 1024;

/** Ten thousand contacts of a hundred columns are 40 MiB of XML. */
const MAX_UNPACKED_BYTES = 64 * MIB;

/** Sheets of ten thousand similar rows unpack to 10-40 times; deflate can do 1,032. */
const MAX_RATIO = 100;
const MIN_BOMB_BYTES = MIB;

/**
 * Refuses a zip bomb, and a zip that is no workbook, before a process is started for it: by the directory where that is enough, else
 * by what its parts unpack to.
 */
export async function refuseZip(content: Buffer): Promise<ContactFileRefusal | null> {
  const opened = await openZip(content);
  if ('code' in opened) return opened;
  const { zip, entries } = opened;
  const refusal = refuseDirectory(entries);
  if (refusal !== null) return refusal;
  return refuseContent(
    zip,
    entries.filter(({ fileName }) => isReadPart(fileName)),
  );
}

function refuseDirectory(entries: readonly Entry[]): ContactFileRefusal | null {
  const names = new Set(entries.map(({ fileName }) => fileName));
  if (names.has('xl/workbook.bin')) return refuseFile('it is an .xlsb workbook; save it as .xlsx');
  if (!names.has(WORKBOOK_PART)) return NOT_A_WORKBOOK;
  if (names.size < entries.length) return refuseFile('it is a zip that names a part twice');
  if (entries.some((entry) => entry.isEncrypted())) return refuseFile('it is encrypted');
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpackedBytes > MAX_UNPACKED_BYTES) {
    return refuseFile(`it unpacks to more than ${MAX_UNPACKED_BYTES / MIB} MiB`);
  }
  return entries.some(isBomb) ? refuseFile(`it unpacks to more than ${MAX_RATIO} times its size`) : null;
}

async function openZip(content: Buffer): Promise<{ zip: ZipFile; entries: Entry[] } | ContactFileRefusal> {
  try {
    const zip = await fromBufferPromise(content);
    if (zip.entryCount > MAX_ENTRIES) return refuseFile(`it holds more than ${MAX_ENTRIES} parts`);
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return { zip, entries };
  } catch {
    // Whatever the reader throws, the content is at fault: it is in memory and nothing else is asked.
    return refuseFile('it is damaged or was not saved to its end');
  }
}

function isBomb({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > MIN_BOMB_BYTES && uncompressedSize > MAX_RATIO * compressedSize;
}
