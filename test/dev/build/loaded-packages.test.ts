/** Checks that no process loads packages long before it uses them, because that delays its start. */
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import { run } from '../../../dev/toolchain/run';

const NEEDED_LATER = [
  'livekit-server-sdk',
  '@livekit/protocol',
  'nodemailer',
  'exceljs',
  '@e965/xlsx',
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/exporter-trace-otlp-proto',
];

/** Prints the names of all packages that the process has loaded a file from, when it exits. */
const REPORT = `process.on('exit', () => {
  const names = Object.keys(require.cache).flatMap((path) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1] ?? []);
  console.log('\\nloaded ' + [...new Set(names)].join(' '));
});`;

/** Without settings, the process exits as soon as everything is loaded. */
async function loadedBy(entry: string): Promise<string[]> {
  const { output } = await run({
    command: process.execPath,
    args: ['-e', `${REPORT} require(${JSON.stringify(join(repositoryRoot(), entry))})`],
    env: {},
    timeoutMs: 60_000,
  });
  return /^loaded (.*)$/m.exec(output)?.[1]?.split(' ') ?? [];
}

test.each(['dist/api/main.js', 'dist/worker/main.js'])(
  'loads %s without packages for LiveKit, e-mails, workbooks or traces unless its settings ask for them',
  async (entry) => {
    const loaded = await loadedBy(entry);
    expect(loaded).toContain('@temporalio/client');
    expect(NEEDED_LATER.filter((name) => loaded.includes(name))).toEqual([]);
  },
);
