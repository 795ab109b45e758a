/** Lets a user or a scripted caller talk to the example agents. */
import { ApiClient } from '../demo/api-client';
import { untilAborted } from '../demo/interruption';
import { ClosingOrder } from '../stack/closing';
import type { Environment } from '../stack/platform-environment';
import { freePort, releasePort } from '../stack/ports';
import { repositoryRoot } from '../stack/repository';
import { createAgents, readExampleAgents, type CreatedAgent } from './agents';
import { talkByScript } from './caller/talk-by-script';
import { isRight } from './caller/verdict';
import { openDoorway, type Doorway, showInBrowser } from './doorway';
import { startTalkPlatform, type TalkPlatform } from './platform';

interface TalkOptions {
  environment: Environment;
  /** Stops everything after a conversation with a scripted caller. */
  exit: boolean;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  /** Aborting this ends the command with the reason. */
  stopping: AbortController;
  /** Called once everything is up. */
  onUp: () => void;
}

const DOORWAY_PORT = 8791;

interface Up extends TalkPlatform {
  agents: CreatedAgent[];
  doorway: Doorway;
}

/** Resolves to true if the conversation succeeded. Stops everything it started, also on failure. */
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
  const { out, stopping } = options;
  const examples = await readExampleAgents(repositoryRoot());
  const platform = await startTalkPlatform({ ...options, browser: options.exit }, closing);
  const { stack, organization } = platform;
  const doorwayPort = await freePort(DOORWAY_PORT);
  closing.add('the doorway’s port', () => Promise.resolve(releasePort(doorwayPort)));
  const api = new ApiClient({ baseUrl: stack.apiUrl, key: organization.key, signal: stopping.signal });
  const agents = await createAgents(api, examples);
  const doorway: Doorway = await openDoorway({
    port: doorwayPort,
    pageUrl: `${stack.apiUrl}/console/try`,
    issueSignIn: organization.issueSignIn,
    onUsed: (agentId) => {
      const name = agents.find(({ id }) => id === agentId)?.name ?? agentId;
      if (!options.exit) out.write(`Opened. The next address for ${name}: ${doorway.addressFor(agentId)}\n`);
    },
  });
  closing.add('the doorway', doorway.close);
  return { ...platform, agents, doorway };
}

function welcomeLines(
  { languageModel, stack }: Up,
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
    `Language model: ${languageModel.name}.`,
    ...(languageModel.howToImprove === null ? [] : [languageModel.howToImprove]),
    `Data and logs are in ${stack.dataFolder} (npm run clean removes it). Press Ctrl-C to stop everything.`,
  ];
}
