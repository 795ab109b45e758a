import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { refuseFile, type ContactFileRefusal } from '../result';

/** Office writes a part for each sheet, picture and chart; a workbook of contacts has a dozen. */
const MAX_ENTRIES = 1_000;

const MIB = 1024 * 1024;

/** Ten thousand contacts of a hundred columns are 40 MiB of XML. */
const MAX_UNPACKED_BYTES = 64 * MIB;

/** Sheets of ten thousand similar rows unpack to 10-40 times; deflate can do 1,032. */
const MAX_RATIO = 100;
const MIN_BOMB_BYTES = MIB;

/** Refuses a zip bomb by its directory, before a process is started for it. The process holds each part to the size given there. */
export async function refuseZip(content: Buffer): Promise<ContactFileRefusal | null> {
  const zip = await openZip(content);
  return zip === null ? refuseFile('it is damaged or was not saved to its end') : refuseDirectory(zip);
}

export interface OpenZip {
  zip: ZipFile;
  /** False where entries follow that were not read. */
  isWhole: boolean;
  entries: { name: string; entry: Entry }[];
}

/** Null for what is no zip, or a damaged one. */
export async function openZip(content: Buffer): Promise<OpenZip | null> {
  try {
    // Names are decoded here, as the library refuses those that begin with a slash. Nothing is written to disk under them.
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
    // The content is in memory and no other resource is used, so it is at fault.
    return null;
  }
}

/** Names of parts differ neither by case nor by the kind of slash. */
export const partName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

function refuseDirectory({ isWhole, entries: all }: OpenZip): ContactFileRefusal | null {
  if (!isWhole) return refuseFile(`it holds more than ${MAX_ENTRIES} parts`);
  const entries = all.map(({ entry }) => entry);
  if (new Set(all.map(({ name }) => name)).size < all.length) {
    return refuseFile('it is a zip that names a part twice');
  }
  if (entries.some((entry) => entry.isEncrypted())) return refuseFile('it is encrypted');
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpackedBytes > MAX_UNPACKED_BYTES) {
    return refuseFile(`it unpacks to more than ${MAX_UNPACKED_BYTES / MIB} MiB`);
  }
  return entries.some(isBomb) ? refuseFile(`it unpacks to more than ${MAX_RATIO} times its size`) : null;
}

function isBomb({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > MIN_BOMB_BYTES && uncompressedSize > MAX_RATIO * compressedSize;
}
