/** Starts the local speech synthesis and recognition in a separate process. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { installLocalModels, localModelsProcess, localModelsUrl } from '../../../dev/local-models/install';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import type { BareRun } from '../bare-servers';

export interface LocalModels {
  speech: LocalSpeech;
  /** Ends in `/v1`. */
  url: string;
}

/** Downloads the models on first use. */
export async function startLocalModels(run: BareRun, closing: ClosingOrder): Promise<LocalModels> {
  const { environment, onProgress } = run;
  const repository = repositoryRoot();
  const { python } = await installLocalModels({ repository, environment, onProgress });
  const folder = join(tmpdir(), `voice-agent-platform-models-${randomBytes(6).toString('hex')}`);
  closing.add('the folder', () => removeFolder(folder));
  const port = await freePort(0);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  const watchdog = startWatchdog();
  closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
  const plan = { ...localModelsProcess({ repository, environment, python, port }), cwd: repository };
  const models = new RunningProcess(plan, { logFolder: folder, runFolder: folder, watchdog });
  closing.add('the models', () => models.stop());
  await models.start();
  const url = localModelsUrl(port);
  return { speech: new LocalSpeech(url), url };
}
