/** `npm start`: the whole platform on this machine, until Ctrl-C. With `-- --livekit`, calls run over LiveKit. */
import { errorText } from '../error-code';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { printProgress } from '../progress';
import { repositoryRoot } from '../stack/repository';
import { startingAgain } from '../stack/starting-again';
import { startStack, USUAL_PORTS, type Stack } from '../stack/stack';
import { onStopRequest } from './stop-request';

async function main(): Promise<void> {
  const environment = process.env;
  const { values: wanted } = parseArgs({ options: { livekit: { type: 'boolean', default: false } } });
  const repository = repositoryRoot();
  const stopping = new AbortController();
  const stack = startStack({
    signal: stopping.signal,
    repository,
    environment,
    onProgress: printProgress(process.stderr),
    dataDir: environment.DATA_DIR,
    ports: {
      ...USUAL_PORTS,
      api: port(environment.PORT, USUAL_PORTS.api),
      simulator: port(environment.SIMULATOR_PORT, USUAL_PORTS.simulator),
    },
    databaseUrl: environment.DATABASE_URL,
    temporalAddress: environment.TEMPORAL_ADDRESS,
    carrierUrl: environment.CARRIER_URL,
    telephony: wanted.livekit ? 'livekit' : 'http',
    temporalCliPath: environment.TEMPORAL_CLI_PATH,
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
    (up) => welcome(up, repository),
    (error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    },
  );
}

function port(text: string | undefined, usual: number): number {
  if (!text) return usual;
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number < 65_536) return number;
  throw new Error(`a port must be a number from 0 to 65535, not "${text}"`);
}

const mailNote = ({ mail, dataFolder }: Stack): string =>
  mail === null ? 'are sent by SMTP_URL' : `none leaves this machine: they are kept in ${dataFolder}/mail`;

function livekitNote({ media, apiUrl }: Stack): string {
  if (media === null) return '';
  return `  playground    ${apiUrl}/playground   (an agent in the browser)
  LiveKit       ${media.publicUrl}   (phones are a stand-in's: the last digits of a number choose what happens)
`;
}

function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function welcome(stack: Stack, repository: string): void {
  const admin = `node --env-file=${fromHere(stack.environmentFile)} ${fromHere(`${repository}/dist/api/admin/main.js`)}`;
  console.log(`
The platform is up.

  API           ${stack.apiUrl}   (/api/docs: a page to try it on)
${livekitNote(stack)}  Temporal      ${stack.temporalUiUrl ?? `${stack.temporalAddress} (not started by this command)`}
  e-mails       ${mailNote(stack)}
  data, logs    ${stack.dataFolder}   (npm run clean removes it)

An organisation and its API key:

  ${admin} org create --name "Acme"
  ${admin} key create --org <the id>

Then: curl -H "X-API-Key: <the key>" ${stack.apiUrl}/api/agents

Ctrl-C stops everything.`);
}

main().catch((error: unknown) => {
  console.error(errorText(error));
  process.exit(1);
});
