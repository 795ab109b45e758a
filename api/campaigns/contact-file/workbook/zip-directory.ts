import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { refuseFile, type ContactFileRefusal } from '../result';

/** Office writes one part per sheet, picture and chart. A workbook of contacts has about a dozen. */
const MAX_ENTRIES = 1_000;

const MIB = 1024 * 1024;

/** Ten thousand contacts with a hundred columns take 40 MiB of XML. */
const MAX_UNPACKED_BYTES = 64 * MIB;

/** Sheets of ten thousand similar rows have a ratio of 10 to 40. Deflate can reach 1,032. */
const MAX_RATIO = 100;
const MIN_BOMB_BYTES = MIB;

/** Rejects a zip bomb by its directory, before a process is started. That process then enforces the sizes in the directory. */
export async function refuseZip(content: Buffer): Promise<ContactFileRefusal | null> {
  const zip = await openZip(content);
  return zip === null ? refuseFile('it is damaged or incomplete') : refuseDirectory(zip);
}

export interface OpenZip {
  zip: ZipFile;
  /** False if there are more entries than were read. */
  isWhole: boolean;
  entries: { name: string; entry: Entry }[];
}

/** Returns null if the content isn't a zip file or is damaged. */
export async function openZip(content: Buffer): Promise<OpenZip | null> {
  try {
    // Decode names ourselves, because the library rejects a leading slash. Nothing is written to disk under them.
    const zip = await fromBufferPromise(content, { decodeStrings: false });
    const isWhole = zip.entryCount <= MAX_ENTRIES;
    const entries: OpenZip['entries'] = [];
    if (!isWhole) return { zip, isWhole, entries };
    for await (const entry of zip.eachEntry()) {
      const name = partName(entry.fileNameRaw.toString('utf8'));
      if (name.split('/').includes('..')) return null;
      entries.push({ name, entry });
    }
    return { zip, isWhole, entries };
  } catch {
    // The content is in memory and nothing else can fail, so the file is damaged.
    return null;
  }
}

/** Part names are case-insensitive, and slashes and backslashes are equal. */
export const partName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

function refuseDirectory({ isWhole, entries: all }: OpenZip): ContactFileRefusal | null {
  if (!isWhole) return refuseFile(`it contains more than ${MAX_ENTRIES.toLocaleString('en')} parts`);
  const entries = all.map(({ entry }) => entry);
  if (new Set(all.map(({ name }) => name)).size < all.length) {
    return refuseFile('it is damaged: it contains the same part twice');
  }
  if (entries.some((entry) => entry.isEncrypted()))
    return refuseFile('it is encrypted; save it without a password');
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpackedBytes > MAX_UNPACKED_BYTES) {
    return refuseFile(`it unpacks to more than ${MAX_UNPACKED_BYTES / MIB} MiB`);
  }
  return entries.some(isBomb) ? refuseFile(`it unpacks to more than ${MAX_RATIO} times its size`) : null;
}

function isBomb({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > MIN_BOMB_BYTES && uncompressedSize > MAX_RATIO * compressedSize;
}
