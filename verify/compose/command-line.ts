import { readOptions } from '../../dev/options';

export interface ComposeOptions {
  /** Use the machine's engine and the real images. */
  usesDocker: boolean;
  /** Remove what earlier runs kept. */
  isCold: boolean;
}

export const HELP = `Usage: npm run test:compose -- [options]

Builds and starts the deployment of docker-compose.yml and plays what an operator does with it: calls, a campaign, killed processes, backup
and restore, an upgrade. As root on a Debian machine it starts a Docker engine of its own from Debian packages, which it does not install,
with stand-ins for the images of others. 30 minutes the first time, 10 with what the first time kept (9 GB).

  --use-docker  uses the Docker engine of this machine and pulls the real images; its project is called compose-test
  --cold        removes what earlier runs kept first, then runs
  --help        this text

Status 0: every step worked or was skipped. 1: a step failed. 2: this machine cannot run it; the message says what is missing.`;

/** Returns null for `--help`. Throws a `UsageFault` that names the wrong option or value. */
export function readCommandLine(args: string[]): ComposeOptions | null {
  const values = readOptions('npm run test:compose', args, {
    'use-docker': { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  return values.help ? null : { usesDocker: values['use-docker'], isCold: values.cold };
}
