/** Runs commands as a user would paste them. The folder links to the files of the checkout, so that the checkout itself doesn't change. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../../../dev/stack/repository';
import { published } from '../../../servers/published';

/** Local data and settings, which the folder doesn't link to. */
const NOT_LINKED = ['.data', '.env', '.git'];

/** Values for the placeholders in the documents. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '<the key>': '"$KEY"',
  '<key>': '"$KEY"',
  '<org>': 'Acme',
  '<id>': '$CAMPAIGN',
  '<instant>': '2026-01-01T00:00:00Z',
  '<id or name>': '"$AGENT"',
  'PORT=8765': 'PORT=0',
};

const PRELUDE = `
admin() { node dist/api/admin/main.js "$@"; }
serve() { # the line that shows that it runs; the command, which ends when it is asked to
  set -m # npm and its program form one group
  "\${@:2}" > serve.log 2>&1 < /dev/null & local pid=$! tries=600
  set +m
  until grep -q -- "$1" serve.log; do
    if ! kill -0 $pid 2> /dev/null || ((--tries == 0)); then cat serve.log >&2; return 1; fi
    sleep 0.05
  done
  kill -- -$pid
  wait $pid || [ $? = 143 ]
  while kill -0 -- -$pid 2> /dev/null; do sleep 0.05; done
}
`;

/** Commands that run until they are stopped, and the output that shows that they are ready. */
const SERVERS: readonly (readonly [command: RegExp, sign: string])[] = [
  [/^npm run api$|dist\/api\/main\.js$/, 'API listening'],
  [/^npm run worker$|dist\/worker\/main\.js$/, 'worker started'],
  [/^npm run simulator$|dist\/dev\/simulator\/main\.js$/, 'simulator listening'],
  [/^npm run mcp -- --http$/, 'MCP server listening'],
  [/custom-llm-server\.js$/, 'listening on'],
  [/^npx vite console$/, 'Local:'],
];

/** Commands that ask for confirmation before an irreversible change. */
const ASKS = /\badmin\b.* (?:person erase|secret rotate)\b|workflow terminate .*--query/;

/** Examples that run a campaign. */
const CAMPAIGN_EXAMPLE = /^npm run example -- (?:reminder|survey)$/;

/** Long, because a busy machine is slow. */
export const RUN_WITHIN_MS = 300_000;

export class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), 'documents-'));
  private readonly tools = join(this.folder, '.tools');

  constructor(private readonly platform: { environmentFile: string; apiUrl: string }) {
    const root = repositoryRoot();
    for (const name of readdirSync(root))
      if (!NOT_LINKED.includes(name)) symlinkSync(join(root, name), join(this.folder, name));
    mkdirSync(this.tools);
    for (const name of ['psql', 'docker'])
      this.addTool(name, `exec node ${join(__dirname, 'tools', `${name}.js`)} "$@"`);
    // The documentation's curl commands print an error response or hide it, depending on their options. Here they always print it.
    this.addTool(
      'curl',
      '[ "$1" != -fsS ] || shift\nPATH=${PATH#*:} exec curl --silent --fail-with-body "$@"',
    );
    mkdirSync(join(this.folder, '.data'));
    symlinkSync(platform.environmentFile, join(this.folder, '.data/platform.env'));
  }

  private addTool(name: string, script: string): void {
    const path = join(this.tools, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  /** Rejects with the first failed command and its output. */
  async run(commands: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    const at = join(this.folder, 'command');
    const steps = commands.map((command, index) => `echo ${index} > ${at}\n${this.filledIn(command)}`);
    return new Promise((resolve, reject) => {
      const child = execFile(
        'bash',
        ['--norc', '-euo', 'pipefail', '-c', [PRELUDE, ...steps].join('\n')],
        { cwd: this.folder, env: { ...this.environment(), ...env }, timeout: RUN_WITHIN_MS },
        (error, stdout, stderr) => {
          if (error === null) return resolve(stdout);
          const command = commands[Number(readFileSync(at, 'utf8'))];
          reject(new Error(`${command}\n\n${stdout.slice(-2_000)}\n${stderr.slice(-3_000)}`));
        },
      );
      child.stdin?.end();
    });
  }

  private filledIn(command: string): string {
    let filled = command.replaceAll('http://127.0.0.1:8080', this.platform.apiUrl);
    for (const [placeholder, value] of Object.entries(PLACEHOLDERS))
      filled = filled.replaceAll(placeholder, value);
    const sql = /^psql (?!")([^]+)/.exec(filled)?.[1];
    if (sql !== undefined) return `psql "$DATABASE_URL" -c "${sql}"`;
    // Confirms in advance, because a command can't prompt without a terminal.
    if (ASKS.test(filled) && !filled.includes('--yes')) filled += ' --yes';
    // Opens the calling window all day, as examples/README.md suggests, because the default window may be closed now.
    if (CAMPAIGN_EXAMPLE.test(filled)) filled += ' --window 00:00-24:00';
    const sign = SERVERS.find(([server]) => server.test(filled))?.[1];
    if (sign === undefined) return filled;
    const [, variables = '', program = ''] = /^((?:[A-Z_]+=(?:'[^']*'|\S+) )*)([^]+)$/.exec(filled) ?? [];
    return `${variables}serve '${sign}' ${program}`;
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      NODE_PATH: join(repositoryRoot(), 'node_modules'),
      PATH: [this.tools, dirname(published('TEST_TEMPORAL_CLI')), process.env.PATH].join(':'),
      EDITOR: 'true',
      ...Object.fromEntries(
        ['PORT', 'WORKER_HEALTH_PORT', 'SIMULATOR_PORT', 'MCP_PORT'].map((name) => [name, '0']),
      ),
    };
  }
}
