import { commandOf, readOptions } from '../../dev/options';

export interface ComposeOptions {
  /** Uses the machine's own Docker engine and the real images. */
  useDocker?: true;
  /** Removes the data and images that earlier runs kept. */
  cold?: true;
}

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
export function readCommandLine(args: string[]): ComposeOptions | null {
  const command = commandOf(
    'npm run test:compose --',
    "Builds and starts the deployment of docker-compose.yml and plays an operator's work: calls, a campaign, killed processes, backup and restore, an upgrade. " +
      'As root on a Debian machine it starts a private Docker engine from Debian packages, without installing them, and builds stand-ins for ' +
      'third-party images. Takes 30 minutes the first time, then 10 with the cache (9 GB).',
  )
    .option(
      '--use-docker',
      "use the machine's Docker engine and pull the real images; the project is called compose-test",
    )
    .option('--cold', 'remove the cache of earlier runs first')
    .addHelpText(
      'after',
      '\nExit status 0: every step worked or was skipped. 1: a step failed. 2: this machine cannot run it, and the message says what is missing.',
    );
  return readOptions(command, args);
}
