import type { ContactFileRefusal, SheetRow } from '../result';
import { readInProcess, type ReaderLimits, type WorkbookFormat } from './reader-process';
import { refuseZip } from './zip-directory';

const LIMITS: ReaderLimits = { maxHeapMib: 512, timeoutMs: 16_000 };

/** Returns the rows of the contacts' sheet without blank ones, the header first. */
export async function readWorkbookRows(
  format: WorkbookFormat,
  content: Buffer,
): Promise<SheetRow[] | ContactFileRefusal> {
  const refusal = format === 'xlsx' ? await refuseZip(content) : null;
  if (refusal !== null) return refusal;
  return readInProcess(format, content, LIMITS);
}
