import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { refuseFile, type ContactFileRefusal, type SheetRow } from '../result';
import type { WorkbookRead, WorkbookToRead } from './answer-parent';

export interface ReaderLimits {
  /** Of the process' JavaScript heap. */
  maxHeapMib: number;
  timeoutMs: number;
}

const TOO_COSTLY = 'it takes too much memory or time to read; save only the contacts, as .csv';

export type WorkbookFormat = 'xlsx' | 'xls';

/** A process runs compiled code: where this file runs from its source, as in a test, the build's is taken. */
const ENTRY_FOLDER = __filename.endsWith('.ts')
  ? join(__dirname, '..', '..', '..', '..', 'dist', 'api', 'campaigns', 'contact-file', 'workbook')
  : __dirname;

/**
 * Reads a workbook in a process of its own, which is killed when it takes too long and ends itself when it takes too much memory:
 * then the file is refused. It has no environment, so none of our secrets. Throws when no process can be started.
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
    // Both: a process may be gone before the last of its answer is read from the channel.
    child.once('disconnect', ended);
    child.once('exit', ended);
    // Only a failed start: what is wrong with the channel later shows in the end without an answer.
    child.once('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.send(workbook, () => undefined);
  });
}
