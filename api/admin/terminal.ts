/** Where an operator sits, or a script: results go to standard output, everything else to standard error. */
import { createInterface } from 'node:readline';
import { errorCode } from '../../db/kernel/error-code';

export interface Terminal {
  /** A result. */
  print(text: string): void;
  /** Progress and warnings: never part of a result. */
  note(text: string): void;
  /** Whether somebody is there to answer a question. */
  isInteractive: boolean;
  /** Whether headings may be set in bold. */
  isStyled: boolean;
  /** The whole of standard input, or about as much of it as `mostBytes`. */
  readInput(mostBytes: number): Promise<Buffer>;
  /** The line that was typed; empty where the input ended. */
  ask(question: string): Promise<string>;
}

export function processTerminal(process: {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  noColour: boolean;
}): Terminal {
  const { stdin, stdout, stderr, noColour } = process;
  stdout.on('error', (error) => {
    // `… | head` has read enough.
    if (errorCode(error) !== 'EPIPE') throw error;
  });
  return {
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    isInteractive: stdin.isTTY && stderr.isTTY,
    isStyled: stdout.isTTY && !noColour,
    readInput: async (mostBytes) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stdin as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= mostBytes) break;
      }
      return Buffer.concat(chunks);
    },
    ask: (question) =>
      new Promise((resolve) => {
        const line = createInterface({ input: stdin, output: stderr });
        // An input that ends (Ctrl-D, Ctrl-C) answers no question, and would leave the promise open for good.
        line.once('close', () => {
          stderr.write('\n');
          resolve('');
        });
        line.question(question, (answer) => {
          resolve(answer);
          line.removeAllListeners('close').close();
        });
      }),
  };
}
