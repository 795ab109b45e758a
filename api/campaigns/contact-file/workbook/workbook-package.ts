import { posix } from 'node:path';
import { type Entry, type ZipFile, fromBufferPromise } from 'yauzl';
import { UnreadableWorkbook } from './sheet';
import { attribute, readXml } from './xml';
import { refuseFile, type ContactFileRefusal } from '../result';

interface Relationship {
  id: string;
  /** Last word of the type, such as `worksheet`. The rest differs between the two editions of the format. */
  kind: string;
  /** Name of the target part. */
  target: string;
}

/** The parts of a workbook. Parts are found by relationships, because their names are arbitrary. */
export class WorkbookPackage {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  static async open(content: Buffer): Promise<WorkbookPackage> {
    const opened = await openZip(content);
    if (opened === null) throw new UnreadableWorkbook('it is damaged or incomplete');
    const { zip, entries } = opened;
    return new WorkbookPackage(zip, new Map(entries.map(({ name, entry }) => [name, entry])));
  }

  has(name: string): boolean {
    return this.entries.has(partName(name));
  }

  /** Throws if the part is missing, damaged, or larger than the zip's directory says, because limits were checked against the directory. */
  async read(name: string): Promise<Buffer> {
    const entry = this.entries.get(partName(name));
    if (entry === undefined) throw new UnreadableWorkbook(`it is damaged: the part ${name} is missing`);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        if (chunk instanceof Buffer) chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } catch {
      throw new UnreadableWorkbook('it is damaged, or its unpacked size differs from the declared one');
    }
  }

  /** Returns the relationships of a part, or of the package itself if `source` is empty. */
  async relationships(source: string): Promise<Relationship[]> {
    const name = posix.join(posix.dirname(source), '_rels', `${posix.basename(source)}.rels`);
    if (!this.has(name)) return [];
    const found: Relationship[] = [];
    readXml(await this.read(name), {
      open: (path, attributes) => {
        if (path !== 'Relationships/Relationship') return;
        if (attribute(attributes, 'TargetMode')?.toLowerCase() === 'external') return;
        const [id, type, target] = ['Id', 'Type', 'Target'].map((key) => attribute(attributes, key) ?? '');
        if (id === undefined || type === undefined || target === undefined) return;
        const kind = type.slice(type.lastIndexOf('/') + 1).toLowerCase();
        found.push({ id, kind, target: resolved(source, target) });
      },
    });
    return found;
  }
}

/** A target is a URI, either absolute in the package or relative to the source part. */
function resolved(source: string, target: string): string {
  const path = decoded(target.replaceAll('\\', '/').replace(/[?#].*$/s, ''));
  return posix.resolve('/', posix.dirname(source), path).slice(1);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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

interface OpenZip {
  zip: ZipFile;
  /** False if there are more entries than were read. */
  isWhole: boolean;
  entries: { name: string; entry: Entry }[];
}

/** Returns null if the content isn't a zip file or is damaged. */
async function openZip(content: Buffer): Promise<OpenZip | null> {
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
const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

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
