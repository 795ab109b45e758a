import { serviceUnavailable } from '../../../http/errors/refusals';
import type { ContactFileRefusal, SheetRow } from '../result';
import { readInProcess, type ReaderLimits, type WorkbookFormat } from './reader-process';
import { Turns } from './turns';
import { refuseZip } from './zip-directory';

const LIMITS: ReaderLimits = { maxHeapMib: 512, timeoutMs: 12_000 };

/**
 * Two processes at their limit leave a small machine its memory; each upload that waits holds up to 10 MiB. Waiting and reading are
 * together shorter than the lease of an idempotency key.
 */
const turns = new Turns({ atOnce: 2, waiting: 20, waitMs: 8_000 });

/**
 * The rows of the sheet that holds the contacts, the header first, blank rows left out. Throws `SERVICE_UNAVAILABLE` when more
 * workbooks wait than can be read in reasonable time.
 */
export async function readWorkbookRows(
  format: WorkbookFormat,
  content: Buffer,
): Promise<SheetRow[] | ContactFileRefusal> {
  const refusal = format === 'xlsx' ? await refuseZip(content) : null;
  if (refusal !== null) return refusal;
  const rows = await turns.take(() => readInProcess(format, content, LIMITS));
  if (rows === null) throw serviceUnavailable();
  return rows;
}
