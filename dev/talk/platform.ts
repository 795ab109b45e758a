/** Starts the platform with LiveKit, an organization, and an agent whose speech models run on this machine. */
import { installLocalModels } from '../local-models/install';
import { localModelsProcess, localModelsUrl } from '../local-models/process';
import { printProgress } from '../progress';
import type { ClosingOrder } from '../stack/closing';
import type { Environment } from '../stack/platform-environment';
import { freePort, releasePort } from '../stack/ports';
import { namedServers } from '../stack/named-servers';
import { repositoryRoot } from '../stack/repository';
import { startingAgain } from '../stack/starting-again';
import { startStack, unlessAborted, type Stack } from '../stack/stack';
import { openOrganization, type TalkOrganization } from './organization';
import { chooseThinker, type Thinker } from './thinker';
import { findTalkTools } from './tools';

export interface TalkPlatform {
  stack: Stack;
  organization: TalkOrganization;
  thinker: Thinker;
  /** URL of the local models. */
  modelsUrl: string;
  downloadedMb: number;
}

export interface TalkPlatformOptions {
  environment: Environment;
  err: NodeJS.WriteStream;
  stopping: AbortController;
  /** True if a scripted caller needs Chromium. */
  browser?: boolean;
  /** Variables for the agent only, in addition to those for its models. */
  agentEnvironment?: Environment;
}

const MODELS_PORT = 8790;

/** Registers everything that it starts with `closing`, which stops it. */
export async function startTalkPlatform(
  options: TalkPlatformOptions,
  closing: ClosingOrder,
): Promise<TalkPlatform> {
  const { environment, err, stopping } = options;
  const repository = repositoryRoot();
  const onProgress = printProgress(err);
  const browser = options.browser ?? false;
  const { signal } = stopping;
  await unlessAborted(findTalkTools(repository, { environment, onProgress, browser }), signal);
  const thinker = await chooseThinker(environment);
  const models = await unlessAborted(installLocalModels({ repository, environment, onProgress }), signal);
  const port = await freePort(MODELS_PORT);
  closing.add('the models’ port', () => Promise.resolve(releasePort(port)));
  const modelsUrl = localModelsUrl(port);
  const stack = await startStack({
    repository,
    environment,
    overrides: { agent: { ...speechEnvironment(modelsUrl, thinker), ...options.agentEnvironment } },
    beside: [localModelsProcess({ repository, environment, python: models.python, port })],
    telephony: 'browser',
    onProgress,
    signal,
    ...namedServers(environment),
    onUnexpectedEnd: startingAgain({
      say: (line) => void err.write(`${line}\n`),
      isStopping: () => stopping.signal.aborted,
    }),
  });
  closing.add('the platform', stack.stop);
  const organization = await openOrganization(stack.databaseUrl);
  closing.add('the organization’s keys', organization.close);
  return { stack, organization, thinker, modelsUrl, downloadedMb: models.downloadedMb };
}

/** The user's own speech variables take precedence. */
function speechEnvironment(modelsUrl: string, thinker: Thinker): Environment {
  return { LOCAL_MODELS_URL: modelsUrl, AGENT_STT: 'local', AGENT_TTS: 'local', ...thinker.environment };
}
