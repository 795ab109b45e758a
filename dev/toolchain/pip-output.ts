/** Matches pip's lines about a file. The groups are whether it is downloaded or cached, its name and its size. */
const FILE =
  /^\s*(Downloading|Using cached) (?:.*\/)?([^\s/]+?)(?:\.metadata)? \(([\d.]+) (bytes|kB|MB|GB)\)/;
const BYTES = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 } as const;
/** Smaller files download too quickly to mention. */
const SHOWN_FROM_BYTES = 1e6;

export class PipOutput {
  private bytes = 0;

  constructor(
    private readonly show: (line: string) => void,
    private readonly totalMb: number,
  ) {}

  read(line: string): void {
    const [, verb, file = '', amount, unit] = FILE.exec(line) ?? [];
    if (verb !== 'Downloading') return;
    const bytes = Number(amount) * BYTES[unit as keyof typeof BYTES];
    this.bytes += bytes;
    if (bytes < SHOWN_FROM_BYTES) return;
    const soFar = Math.round(this.bytes / 1e6);
    this.show(`downloading ${packageOf(file)}, ${amount} ${unit} (${soFar} of about ${this.totalMb} MB)`);
  }

  get downloadedMb(): number {
    return Math.round(this.bytes / 1e5) / 10;
  }
}

/** `piper_tts-1.8.0-cp39-….whl` becomes piper-tts 1.8.0. */
function packageOf(file: string): string {
  const [name = file, version = ''] = file.split('-');
  return `${name.replaceAll('_', '-')} ${version}`.trim();
}
