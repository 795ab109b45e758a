/** Input and output of a command. Results go to standard output, everything else to standard error. */
import { createInterface } from 'node:readline';
import { errorCode } from '../../db/kernel/error-code';

export interface Terminal {
  print(text: string): void;
  /** Prints progress or a warning. */
  note(text: string): void;
  /** True if a person can answer a question. */
  isInteractive: boolean;
  /** True if headings may be bold. */
  isStyled: boolean;
  /** Reads standard input, up to about `maxBytes`. */
  readInput(maxBytes: number): Promise<Buffer>;
  /** Returns the typed line; empty if the input ended. */
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
    // The reader, such as `head`, has closed the pipe.
    if (errorCode(error) !== 'EPIPE') throw error;
  });
  return {
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    isInteractive: stdin.isTTY && stderr.isTTY,
    isStyled: stdout.isTTY && !noColour,
    readInput: async (maxBytes) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stdin as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= maxBytes) break;
      }
      return Buffer.concat(chunks);
    },
    ask: (question) =>
      new Promise((resolve) => {
        const line = createInterface({ input: stdin, output: stderr });
        // Without this, Ctrl-D or Ctrl-C would leave the promise pending forever.
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
