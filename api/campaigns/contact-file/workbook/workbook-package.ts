import { posix } from 'node:path';
import type { Entry, ZipFile } from 'yauzl';
import { UnreadableWorkbook } from './unreadable-workbook';
import { attribute, readXml } from './xml';
import { openZip, partName } from './zip-directory';

export interface Relationship {
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
