import { errorText } from '../error-text';
import { relative } from 'node:path';
import { commandOf, readOptions, statusOf, UsageFault } from '../options';
import { printProgress } from '../progress';
import { namedServers } from '../stack/named-servers';
import { consoleLink } from '../stack/console-link';
import { repositoryRoot } from '../stack/repository';
import { startingAgain } from '../stack/starting-again';
import { PORT_VARIABLES } from '../stack/stack-ports';
import { startStack, USUAL_PORTS, type Stack } from '../stack/stack';

const COMMAND = commandOf(
  'npm start --',
  'Runs the whole platform on this machine, without a campaign, until Ctrl-C.',
)
  .option(
    '--livekit',
    'make calls through a LiveKit server, with the agent and simulated phones; lets you try agents in the console',
  )
  .addHelpText(
    'after',
    `
PORT and SIMULATOR_PORT set the first ports to try for the API and the simulated carrier. DATA_DIR, DATABASE_URL,
TEMPORAL_ADDRESS, TEMPORAL_CLI_PATH and CARRIER_URL replace what it would start. All variables: .env.example`,
  );

async function main(): Promise<void> {
  const environment = process.env;
  const wanted = readOptions<{ livekit?: true }>(COMMAND, process.argv.slice(2));
  if (wanted === null) return;
  const repository = repositoryRoot();
  const ports = {
    ...USUAL_PORTS,
    api: port(environment, 'api'),
    simulator: port(environment, 'simulator'),
  };
  const stopping = new AbortController();
  const stack = startStack({
    signal: stopping.signal,
    repository,
    environment,
    onProgress: printProgress(process.stderr),
    ...namedServers(environment),
    ports,
    carrierUrl: environment.CARRIER_URL,
    telephony: wanted.livekit ? 'livekit' : 'http',
    onMail: ({ subject, file }) => console.log(`e-mail caught: "${subject}": ${fromHere(file)}`),
    onUnexpectedEnd: startingAgain({
      say: (line) => console.error(line),
      isStopping: () => stopping.signal.aborted,
    }),
  });
  onStopRequest(async () => {
    stopping.abort();
    await stack.then(
      (up) => up.stop(),
      () => {},
    );
  });
  await stack.then(
    async (up) => welcome(up, { repository, wantedPort: ports.api, link: await linkTo(up) }),
    (error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    },
  );
}

function port(environment: NodeJS.ProcessEnv, server: 'api' | 'simulator'): number {
  const variable = PORT_VARIABLES[server];
  const text = environment[variable];
  if (!text) return USUAL_PORTS[server];
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number < 65_536) return number;
  throw new UsageFault(`${variable} must be a port from 0 to 65535, not "${text}"`);
}

const mailNote = ({ mail, dataFolder }: Stack): string =>
  mail === null ? 'sent through SMTP_URL' : `kept in ${dataFolder}/mail, none leaves this machine`;

function livekitNote({ media, apiUrl }: Stack): string {
  if (media === null) return '';
  return `  try an agent  ${apiUrl}/console/try   (talk to it in the browser)
  LiveKit       ${media.publicUrl}   (phones are simulated: the last two digits of a number choose what happens)
`;
}

function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

/** Returns a sign-in link for the newest organization, and creates an organization if none exists. */
const linkTo = (stack: Stack): Promise<string> =>
  consoleLink(stack, { organizationId: null, by: 'npm start' });

function welcome(
  stack: Stack,
  { repository, wantedPort, link }: { repository: string; wantedPort: number; link: string },
): void {
  const isOther = wantedPort !== 0 && new URL(stack.apiUrl).port !== String(wantedPort);
  const stepped = isOther ? `port ${wantedPort} is in use; ` : '';
  const admin = `node --env-file=${fromHere(stack.environmentFile)} ${fromHere(`${repository}/dist/api/admin/main.js`)}`;
  console.log(`
The platform is up.

  console       ${link}   (works once, within ten minutes)
  API           ${stack.apiUrl}   (${stepped}try it at /api/docs)
${livekitNote(stack)}  Temporal      ${stack.temporalUiUrl ?? `${stack.temporalAddress} (not started by this command)`}
  e-mails       ${mailNote(stack)}
  data, logs    ${stack.dataFolder}   (npm run clean removes it)

To create another console link, an organization or an API key:

  ${admin} console link --for <person> --org <id or name>
  ${admin} org create --name "Acme"
  ${admin} key create --org <id or name>

Then: curl -H "X-API-Key: <key>" ${stack.apiUrl}/api/agents

Press Ctrl-C to stop everything.`);
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(statusOf(error));
});

/**
 * Runs `stop` once on SIGINT, SIGTERM or SIGHUP and then exits. A second signal exits immediately, and the watchdog stops the remaining
 * processes.
 */
function onStopRequest(stop: () => Promise<void>): void {
  let asked = false;
  const request = () => {
    if (asked) process.exit(130);
    asked = true;
    console.error('\nStopping …');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(errorText(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
}
