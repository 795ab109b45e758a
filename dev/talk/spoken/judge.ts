/** The recogniser that judges what an agent said. It is none that an agent can use: what both misheard in the same way would pass. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OnProgress } from '../../progress';
import { installPythonPackages } from '../../toolchain/python-packages';

const FOLDER = join('dev', 'talk', 'spoken');
/** A second of speech takes it about a second on a busy machine. */
const WITHIN_MS = 120_000;

export class Judge {
  private constructor(
    private readonly python: string,
    private readonly program: string,
  ) {}

  /** Downloads it the first time, with its checksums. */
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

  /** What may be said, in English and lower case, the likeliest first; none where it hears no words. Of samples at 16 kHz. */
  async readingsOf(samples: Int16Array): Promise<string[]> {
    const running = promisify(execFile)(this.python, [this.program], { timeout: WITHIN_MS });
    // Where it ends before it has read all, that it did is what is reported.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
    return (await running).stdout.split('\n').filter((reading) => reading !== '');
  }
}
