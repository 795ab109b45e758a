/** The platform with LiveKit, an agent that speaks and hears on this machine, and the way to it. */
import { ApiClient } from '../demo/api-client';
import { untilAborted } from '../demo/interruption';
import { installLocalModels } from '../local-models/install';
import { localModelsProcess, localModelsUrl } from '../local-models/process';
import { printProgress } from '../progress';
import { ClosingOrder } from '../stack/closing';
import type { Environment } from '../stack/platform-environment';
import { freePort, releasePort } from '../stack/ports';
import { repositoryRoot } from '../stack/repository';
import { startingAgain } from '../stack/starting-again';
import { startStack, type Stack } from '../stack/stack';
import { createAgents, readExampleAgents, type CreatedAgent } from './agents';
import { talkByScript } from './caller/talk-by-script';
import { isRight } from './caller/verdict';
import { openDoorway, type Doorway } from './doorway';
import { openOrganisation, type TalkOrganisation } from './organisation';
import { showInBrowser } from './show-in-browser';
import { chooseThinker, type Thinker } from './thinker';

export interface TalkOptions {
  environment: Environment;
  /** A scripted caller talks, then all ends. */
  exit: boolean;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  /** Ends it: with its reason. */
  stopping: AbortController;
  /** Called once everything is up. */
  onUp: () => void;
}

const PORTS = { models: 8790, doorway: 8791 };

interface Up {
  stack: Stack;
  organisation: TalkOrganisation;
  agents: CreatedAgent[];
  doorway: Doorway;
  thinker: Thinker;
  modelsUrl: string;
  downloadedMb: number;
}

/** Resolves to whether all went as it should; whatever happens, everything that was started is stopped. */
export async function runTalk(options: TalkOptions): Promise<boolean> {
  const closing = new ClosingOrder();
  try {
    return await run(options, closing);
  } finally {
    await closing.close();
  }
}

async function run(options: TalkOptions, closing: ClosingOrder): Promise<boolean> {
  const { out, exit, stopping } = options;
  const startedAtMs = performance.now();
  const say = (...lines: string[]) => out.write(`${lines.join('\n')}\n`);
  const up = await start(options, closing);
  const readyS = Math.round((performance.now() - startedAtMs) / 100) / 10;
  options.onUp();
  if (exit) {
    const { verdict, lines } = await talkByScript({ ...up, ...options, say, signal: stopping.signal });
    say(...lines, JSON.stringify({ ...verdict, download_mb: up.downloadedMb, ready_s: readyS }));
    return isRight(verdict);
  }
  const addresses = up.agents.map((agent) => ({ ...agent, address: up.doorway.addressFor(agent.id) }));
  const [first] = addresses;
  say(...welcomeLines(up, addresses, readyS));
  if (first !== undefined) await showInBrowser(first.address, options.environment);
  return untilAborted(stopping.signal);
}

async function start(options: TalkOptions, closing: ClosingOrder): Promise<Up> {
  const { environment, err, out, stopping } = options;
  const repository = repositoryRoot();
  const onProgress = printProgress(err);
  const examples = await readExampleAgents(repository);
  const thinker = await chooseThinker(environment);
  const models = await installLocalModels({ repository, environment, onProgress });
  const ports = { models: await freePort(PORTS.models), doorway: await freePort(PORTS.doorway) };
  closing.add('the ports', () => Promise.resolve(Object.values(ports).forEach(releasePort)));
  const modelsUrl = localModelsUrl(ports.models);
  const stack = await startStack({
    repository,
    environment,
    overrides: { agent: agentEnvironment(modelsUrl, thinker) },
    beside: [localModelsProcess({ repository, environment, python: models.python, port: ports.models })],
    telephony: 'livekit',
    onProgress,
    signal: stopping.signal,
    dataDir: environment.DATA_DIR,
    databaseUrl: environment.DATABASE_URL,
    temporalAddress: environment.TEMPORAL_ADDRESS,
    temporalCliPath: environment.TEMPORAL_CLI_PATH,
    onUnexpectedEnd: startingAgain({
      say: (line) => void err.write(`${line}\n`),
      isStopping: () => stopping.signal.aborted,
    }),
  });
  closing.add('the platform', stack.stop);
  const { databaseUrl, apiUrl } = stack;
  const organisation = await openOrganisation(databaseUrl);
  closing.add('the organisation’s keys', organisation.close);
  const api = new ApiClient({ baseUrl: apiUrl, key: organisation.key, signal: stopping.signal });
  const agents = await createAgents(api, examples);
  const doorway: Doorway = await openDoorway({
    port: ports.doorway,
    pageUrl: `${apiUrl}/playground`,
    issueKey: organisation.issuePageKey,
    onUsed: (agentId) => {
      const name = agents.find(({ id }) => id === agentId)?.name ?? agentId;
      if (!options.exit) out.write(`Opened. The next address of ${name}: ${doorway.addressFor(agentId)}\n`);
    },
  });
  closing.add('the doorway', doorway.close);
  return { stack, organisation, agents, doorway, thinker, modelsUrl, downloadedMb: models.downloadedMb };
}

/** What a person's own environment names for speech goes first. */
function agentEnvironment(modelsUrl: string, thinker: Thinker): Environment {
  return { LOCAL_MODELS_URL: modelsUrl, AGENT_STT: 'local', AGENT_TTS: 'local', ...thinker.environment };
}

function welcomeLines(
  { thinker, stack }: Up,
  agents: readonly (CreatedAgent & { address: string })[],
  readyS: number,
): string[] {
  const width = Math.max(...agents.map(({ name }) => name.length)) + 2;
  return [
    '',
    `Ready after ${readyS} s. Open one of these addresses, which work once each, and press "Start talking":`,
    '',
    ...agents.map(({ name, address }) => `  ${name.padEnd(width)}${address}`),
    '',
    'The agents hear and speak on this machine, in English.',
    `They think with ${thinker.name}.`,
    ...(thinker.howToImprove === null ? [] : [thinker.howToImprove]),
    `Data and logs are in ${stack.dataFolder} (npm run clean removes it). Ctrl-C stops everything.`,
  ];
}
