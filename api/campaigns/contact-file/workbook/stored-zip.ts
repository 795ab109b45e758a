import { crc32 } from 'node:zlib';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;

/** A zip that stores its parts as they are. The reader of workbooks takes a whole zip, and is to see no other parts than these. */
export function storedZip(parts: ReadonlyMap<string, string>): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of parts) {
    const nameBytes = Buffer.from(name);
    const data = Buffer.from(text);
    const common = commonHeader(nameBytes, data);
    const header = Buffer.concat([uint32(LOCAL_HEADER), common, nameBytes]);
    local.push(header, data);
    // Comment length, disk, internal attributes (2 bytes each), external attributes (4), offset (4).
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(uint32(DIRECTORY_HEADER), uint16(VERSION), common, tail, nameBytes);
    offset += header.length + data.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(DIRECTORY_END, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directoryBytes, end]);
}

/** What a part's own header and its line in the directory share: version to the length of the extra field. */
function commonHeader(name: Buffer, data: Buffer): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(VERSION, 0);
  header.writeUInt16LE(FLAGS, 2);
  header.writeUInt32LE(crc32(data), 10);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt16LE(name.length, 22);
  return header;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
