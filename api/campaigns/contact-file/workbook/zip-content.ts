import type { Entry, ZipFile } from 'yauzl';
import { refuseFile, type ContactFileRefusal } from '../result';

const TAG_START = 0x3c;

/** A cell holds 32,767 characters, each of which may be written as an entity; between tags there may be white space. */
const MAX_TEXT_BYTES = 256 * 1024;

/**
 * Refuses parts that are longer than the zip's directory says, or have text that no cell can hold. They are unpacked as they stream
 * by, off the main thread, and nothing of them is kept: 10 MiB take some 60 ms, where a process would take 300 to start.
 */
export async function refuseContent(
  zip: ZipFile,
  entries: readonly Entry[],
): Promise<ContactFileRefusal | null> {
  for (const entry of entries) {
    try {
      if (await hasGiantText(zip, entry)) {
        return refuseFile('it has a cell that is longer than a spreadsheet can hold');
      }
    } catch {
      // The stream is held to the size in the directory, which was judged before.
      return refuseFile('it is damaged, or unpacks to another size than it says');
    }
  }
  return null;
}

/** A stretch without a tag that is longer than a chunk begins or ends at a chunk's edge, so that only those are looked at. */
async function hasGiantText(zip: ZipFile, entry: Entry): Promise<boolean> {
  const unpacked = await zip.openReadStreamPromise(entry);
  let textBytes = 0;
  for await (const chunk of unpacked) {
    if (!(chunk instanceof Buffer)) continue;
    const firstTag = chunk.indexOf(TAG_START);
    textBytes += firstTag === -1 ? chunk.length : firstTag;
    if (textBytes > MAX_TEXT_BYTES) return true;
    if (firstTag !== -1) textBytes = chunk.length - chunk.lastIndexOf(TAG_START);
  }
  return false;
}
