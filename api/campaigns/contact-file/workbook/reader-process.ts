import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { type ContactFileRefusal, type SheetRow, refuseFile } from '../result';
import { refuseZip } from './workbook-package';
import type { WorkbookRead, WorkbookToRead } from './read-workbook';

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

interface ReaderLimits {
  /** Limit of the process's JavaScript heap. */
  maxHeapMib: number;
  timeoutMs: number;
}

const TOO_COSTLY = 'it takes too much memory or time to read; save only the contacts as .csv';

type WorkbookFormat = 'xlsx' | 'xls';

/** A child process needs compiled code. If this file runs from source, as in a test, it uses the compiled file of the build. */
const ENTRY_FOLDER = __filename.endsWith('.ts')
  ? join(__dirname, '..', '..', '..', '..', 'dist', 'api', 'campaigns', 'contact-file', 'workbook')
  : __dirname;

/**
 * Reads a workbook in a separate process. If the process exceeds its time or memory, the file is rejected. It gets no environment
 * variables, so it can't see our secrets. Throws if the process can't be started.
 */
export function readInProcess(
  format: WorkbookFormat,
  content: Buffer,
  { maxHeapMib, timeoutMs }: ReaderLimits,
): Promise<SheetRow[] | ContactFileRefusal> {
  const child = fork(join(ENTRY_FOLDER, `${format}-main.js`), [], {
    env: {},
    execArgv: [`--max-old-space-size=${maxHeapMib}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  return answerOf(child, { content });
}

function answerOf(child: ChildProcess, workbook: WorkbookToRead): Promise<SheetRow[] | ContactFileRefusal> {
  return new Promise((resolve, reject) => {
    const rows: SheetRow[] = [];
    let answer: SheetRow[] | ContactFileRefusal | null = null;
    let open = 2;
    const ended = (): void => {
      open -= 1;
      if (open === 0) resolve(answer ?? refuseFile(TOO_COSTLY));
    };
    child.on('message', (message: WorkbookRead) => {
      if ('rows' in message) for (const row of message.rows) rows.push(row);
      else answer = message.refusal ?? rows;
    });
    // Wait for both events, because a process can exit before its last messages are read.
    child.once('disconnect', ended);
    child.once('exit', ended);
    // Handles a failed start. After a later channel error the process ends without a result, which rejects the file.
    child.once('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.send(workbook, () => undefined);
  });
}
