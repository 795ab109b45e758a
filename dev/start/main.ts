import { relative } from 'node:path';
import { interruptibleStatus, untilAborted } from '../demo/interruption';
import { exitAfter } from '../exit-with-error';
import { commandOf, readOptions, UsageFault } from '../options';
import { printProgress } from '../progress';
import { userStack, consoleLink } from '../stack/user-stack';
import { repositoryRoot } from '../stack/repository';
import { PORT_VARIABLES } from '../stack/ports';
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

async function main(): Promise<number> {
  const wanted = readOptions<{ livekit?: true }>(COMMAND, process.argv.slice(2));
  if (wanted === null) return 0;
  const { env: environment, stderr } = process;
  const ports = { ...USUAL_PORTS, api: port(environment, 'api'), simulator: port(environment, 'simulator') };
  return interruptibleStatus(async (stopping, onUp) => {
    const stack = await startStack({
      ...userStack(environment, {
        say: (line) => console.error(line),
        isStopping: () => stopping.signal.aborted,
      }),
      signal: stopping.signal,
      onProgress: printProgress(stderr),
      ports,
      carrierUrl: environment.CARRIER_URL,
      telephony: wanted.livekit ? 'livekit' : 'http',
      onMail: ({ subject, file }) => console.log(`e-mail caught: "${subject}": ${fromHere(file)}`),
    });
    try {
      // Creates an organization if there is none, because the link needs one.
      const link = await consoleLink(stack, { organizationId: null, by: 'npm start' });
      welcome(stack, { wantedPort: ports.api, link });
      onUp();
      return await untilAborted(stopping.signal);
    } finally {
      await stack.stop();
    }
  }, 'npm start failed');
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

function welcome(stack: Stack, { wantedPort, link }: { wantedPort: number; link: string }): void {
  const isOther = wantedPort !== 0 && new URL(stack.apiUrl).port !== String(wantedPort);
  const stepped = isOther ? `port ${wantedPort} is in use; ` : '';
  const admin = `node --env-file=${fromHere(stack.environmentFile)} ${fromHere(`${repositoryRoot()}/dist/api/admin/main.js`)}`;
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

exitAfter(main());
