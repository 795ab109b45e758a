/** Starts the platform with LiveKit, an organization, and an agent whose speech models run on this machine. */
import { installLocalModels, SPEECH, localModelsProcess, localModelsUrl } from '../local-models/install';
import { printProgress, type OnProgress } from '../progress';
import type { ClosingOrder } from '../stack/closing';
import type { Environment } from '../stack/platform-environment';
import { freePort, releasePort } from '../stack/ports';
import { userStack } from '../stack/user-stack';
import { repositoryRoot } from '../stack/repository';
import { startStack, unlessAborted, type Stack } from '../stack/stack';
import { openOrganization, type TalkOrganization } from './organization';
import { chooseLanguageModel, type LanguageModel } from './language-model';
import { errorText } from '../error-text';
import { mediaToolsFor } from '../stack/media-servers';
import { cacheFolder } from '../toolchain/cache-folder';
import { findChromium } from '../toolchain/media-tools';
import { findPython } from '../toolchain/python-packages';
import { findTemporalCli } from '../toolchain/temporal-tools';

export interface TalkPlatform {
  stack: Stack;
  organization: TalkOrganization;
  languageModel: LanguageModel;
  /** URL of the local models. */
  modelsUrl: string;
  downloadedMb: number;
}

interface TalkPlatformOptions {
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
  const languageModel = await chooseLanguageModel(environment);
  const models = await unlessAborted(installLocalModels({ repository, environment, onProgress }), signal);
  const port = await freePort(MODELS_PORT);
  closing.add('the models’ port', () => Promise.resolve(releasePort(port)));
  const modelsUrl = localModelsUrl(port);
  const stack = await startStack({
    ...userStack(environment, {
      say: (line) => void err.write(`${line}\n`),
      isStopping: () => stopping.signal.aborted,
    }),
    overrides: { agent: { ...speechEnvironment(modelsUrl, languageModel), ...options.agentEnvironment } },
    beside: [localModelsProcess({ repository, environment, python: models.python, port })],
    telephony: 'browser',
    onProgress,
    signal,
  });
  closing.add('the platform', stack.stop);
  const organization = await openOrganization(stack.databaseUrl);
  closing.add('the organization’s keys', organization.close);
  return { stack, organization, languageModel, modelsUrl, downloadedMb: models.downloadedMb };
}

/** The user's own speech variables take precedence. */
function speechEnvironment(modelsUrl: string, languageModel: LanguageModel): Environment {
  return {
    LOCAL_MODELS_URL: modelsUrl,
    AGENT_STT: 'local',
    AGENT_TTS: 'local',
    ...languageModel.environment,
  };
}

/**
 * @param browser true if a scripted caller talks through Chromium
 * @throws Error that lists everything missing with its remedy
 */
async function findTalkTools(
  repository: string,
  {
    environment,
    onProgress,
    browser,
  }: { environment: Environment; onProgress: OnProgress; browser: boolean },
): Promise<void> {
  const search = { environment, cacheFolder: cacheFolder(environment), onProgress };
  // Checks system packages first, because a build takes minutes.
  await allFound([
    findPython(environment, SPEECH),
    browser && findChromium({ ...search, configuredPath: environment.CHROMIUM_PATH }),
  ]);
  await allFound([
    mediaToolsFor(repository, environment, onProgress, { phones: false }),
    !environment.TEMPORAL_ADDRESS &&
      findTemporalCli({ ...search, configuredPath: environment.TEMPORAL_CLI_PATH }),
  ]);
}

/** @throws Error with one paragraph for each failed search */
async function allFound(finds: readonly (Promise<unknown> | false)[]): Promise<void> {
  const begun = finds.filter((find) => find !== false);
  const faults = (await Promise.allSettled(begun)).flatMap((find) =>
    find.status === 'rejected' ? [errorText(find.reason)] : [],
  );
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
}
