import { readOptions } from '../../dev/options';

export interface ComposeOptions {
  /** Use the machine's engine and the real images. */
  usesDocker: boolean;
  /** Remove what earlier runs kept. */
  isCold: boolean;
}

export const HELP = `Usage: npm run test:compose -- [options]

Builds and starts the deployment of docker-compose.yml and plays an operator's work: calls, a campaign, killed processes, backup and restore,
an upgrade. As root on a Debian machine it starts a private Docker engine from Debian packages, without installing them, and builds stand-ins
for third-party images. Takes 30 minutes the first time, then 10 with the cache (9 GB).

  --use-docker  use the machine's Docker engine and pull the real images; the project is called compose-test
  --cold        remove the cache of earlier runs first
  --help        print this text

Exit status 0: every step worked or was skipped. 1: a step failed. 2: this machine cannot run it, and the message says what is missing.`;

/** Returns null for `--help`. Throws a `UsageFault` that names the wrong option or value. */
export function readCommandLine(args: string[]): ComposeOptions | null {
  const values = readOptions('npm run test:compose', args, {
    'use-docker': { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  return values.help ? null : { usesDocker: values['use-docker'], isCold: values.cold };
}
