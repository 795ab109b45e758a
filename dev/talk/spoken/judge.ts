/** Speech recogniser that judges what an agent said. Agents can't use the same recogniser, because a mistake that both make would pass. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OnProgress } from '../../progress';
import { installPythonPackages } from '../../toolchain/python-packages';

const FOLDER = join('dev', 'talk', 'spoken');
/** On a busy machine, recognising a second of speech takes about a second. */
const TIMEOUT_MS = 120_000;

export class Judge {
  private constructor(
    private readonly python: string,
    private readonly program: string,
  ) {}

  /** Downloads the packages on first use and verifies their checksums. */
  static async install(options: {
    repository: string;
    environment: NodeJS.ProcessEnv;
    onProgress: OnProgress;
  }): Promise<Judge> {
    const { python } = await installPythonPackages({
      ...options,
      name: 'spoken-judge',
      requirements: join(options.repository, FOLDER, 'requirements.txt'),
      title: 'the recogniser that judges',
      downloadMb: 30,
    });
    return new Judge(python, join(options.repository, FOLDER, 'python', 'judge.py'));
  }

  /** Returns possible readings of 16 kHz samples in lower case, likeliest first. Returns none if no words are recognised. English only. */
  async readingsOf(samples: Int16Array): Promise<string[]> {
    const running = promisify(execFile)(this.python, [this.program], { timeout: TIMEOUT_MS });
    // If the process ends before it has read all input, its exit is the error to report rather than the broken pipe.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
    return (await running).stdout.split('\n').filter((reading) => reading !== '');
  }
}
