import type { ContactFileRefusal, SheetRow } from '../result';
import { readInProcess, type ReaderLimits, type WorkbookFormat } from './reader-process';
import { refuseZip } from './zip-directory';

const LIMITS: ReaderLimits = { maxHeapMib: 512, timeoutMs: 16_000 };

/** The rows of the sheet that holds the contacts, the header first, blank rows left out. */
export async function readWorkbookRows(
  format: WorkbookFormat,
  content: Buffer,
): Promise<SheetRow[] | ContactFileRefusal> {
  const refusal = format === 'xlsx' ? await refuseZip(content) : null;
  if (refusal !== null) return refusal;
  return readInProcess(format, content, LIMITS);
}
