import type { ContactFileFormat } from '../../../domain/contact-file-format';
import { refuseFile, type ContactFileRefusal } from './result';

const EXTENSION = /\.(csv|xlsx|xls)$/i;
const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const MARKUP_START = Buffer.from('<');
const OLE_START = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/**
 * Detects the format from the content, because people rename files and spreadsheets save text under any name. A file without one of the
 * three extensions is rejected, because it was probably sent by mistake.
 */
export function detectFormat(filename: string, content: Buffer): ContactFileFormat | ContactFileRefusal {
  if (!EXTENSION.test(filename)) return refuseFile('its name must end in .csv, .xlsx or .xls');
  if (startsWith(content, ZIP_START)) return 'xlsx';
  if (startsWith(content, OLE_START)) return 'xls';
  // Many web applications export HTML tables named .xls.
  if (startsWith(content, MARKUP_START))
    return refuseFile('it is a web page or XML; save it as .xlsx or .csv');
  return 'csv';
}

function startsWith(content: Buffer, start: Buffer): boolean {
  return content.subarray(0, start.length).equals(start);
}
