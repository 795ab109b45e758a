import { SaxesParser, type SaxesTagNS } from 'saxes';
import { UnreadableWorkbook } from './sheet';

const SLICE_BYTES = 64 * 1024;

/** A cell holds up to 32,767 characters, each of which can be an entity of eight bytes. */
const MAX_PIECE_BYTES = 384 * 1024;

/** A cell of rich text is seven levels deep. */
const MAX_DEPTH = 64;

export type Attributes = SaxesTagNS['attributes'];

/** Paths contain all elements from the root, such as `worksheet/sheetData/row`. */
interface XmlHandler {
  open?: (path: string, attributes: Attributes) => void;
  /** A text can arrive in pieces. */
  text?: (path: string, text: string) => void;
  close?: (path: string) => void;
  /** Return true to stop reading. */
  isDone?: () => boolean;
}

/**
 * Parses a part of a workbook with any prefixes, quotes, spaces and encoding. An element outside the root's namespace is named `?`. Throws if
 * the XML is malformed or could exhaust memory.
 */
export function readXml(bytes: Buffer, { open, text, close, isDone = () => false }: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const parents: string[] = [];
  let path = '';
  let namespace: string | null = null;
  let isMoving = false;
  const textRead = (piece: string): void => {
    isMoving = true;
    text?.(path, piece);
  };
  // Some writers don't declare their prefix. The parser then uses the prefix as the namespace.
  parser.on('error', (error) => {
    if (!error.message.includes('unbound namespace prefix')) throw error;
  });
  parser.on('opentag', (tag) => {
    isMoving = true;
    namespace ??= tag.uri;
    if (parents.length === MAX_DEPTH) throw new UnreadableWorkbook('its XML is nested too deeply');
    parents.push(path);
    const name = tag.uri === namespace ? tag.local : '?';
    path = path === '' ? name : `${path}/${name}`;
    open?.(path, tag.attributes);
  });
  parser.on('closetag', () => {
    isMoving = true;
    close?.(path);
    path = parents.pop() ?? '';
  });
  parser.on('text', textRead);
  parser.on('cdata', textRead);
  // A DTD can declare entities that expand exponentially. No spreadsheet program writes one.
  parser.on('doctype', () => {
    throw new UnreadableWorkbook('its XML has a document type declaration, which is not allowed');
  });
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  let pieceBytes = 0;
  for (let at = 0; at < bytes.length && !isDone(); at += SLICE_BYTES) {
    const slice = bytes.subarray(at, at + SLICE_BYTES);
    isMoving = false;
    parser.write(decoder.decode(slice, { stream: true }));
    pieceBytes = isMoving ? slice.length : pieceBytes + slice.length;
    if (pieceBytes > MAX_PIECE_BYTES) throw new UnreadableWorkbook('it has a cell with too much text');
  }
  if (!isDone()) parser.write(decoder.decode()).close();
}

/** Returns the trimmed value of an attribute without a prefix. */
export const attribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[name]?.value.trim();

/** Returns the trimmed value of an attribute with any prefix, because writers choose the prefix of `r:id`. */
export const prefixedAttribute = (attributes: Attributes, name: string): string | undefined =>
  Object.values(attributes)
    .find(({ local, prefix }) => local === name && prefix !== '')
    ?.value.trim();

export const isTrue = (value: string | undefined): boolean => /^(1|true)$/i.test(value ?? '');

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const start = bytes.toString('latin1', 0, 200);
  const declared = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  // The first bytes show a single-byte encoding, so the declared UTF-16 is wrong.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
