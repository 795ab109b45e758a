/** Decides whether the worker runs LiveKit's end-of-turn model, and checks whether the model runs on this machine. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { InferenceRunner } from '@livekit/agents';
import { errorName, type Log } from '../log';
import { END_OF_TURN_METHOD } from '../session/turns/end-of-turn-model';
import type { TurnDetector } from '../settings';

/** Installed with the SDK. It crashes the process on CPUs that it was not built for. */
const PACKAGE = '@livekit/local-inference';
/** Runs the model on a second of silence. */
const PROBE = `require(process.argv[1]).predict(new Int16Array(16000)).then((p) => process.exit(p > 0 ? 0 : 1))`;
const PROBE_TIMEOUT_MS = 60_000;

/** Logs and returns how conversations detect the end of a turn. */
export async function chooseTurnDetector(
  setting: TurnDetector,
  log: Log,
  probe: () => Promise<unknown> = runOnce,
): Promise<TurnDetector> {
  if (setting === 'off') {
    log.info({}, 'only silence and words end a turn, because AGENT_TURN_DETECTOR is off');
    return 'off';
  }
  try {
    await probe();
    log.info({}, "LiveKit's model decides the end of a turn");
    return 'local';
  } catch (error) {
    log.warn(
      { error: errorName(error) },
      "only silence and words end a turn, because the end-of-turn model doesn't run on this machine",
    );
    return 'off';
  }
}

/** Runs one inference in a separate process. Rejects when it fails. */
async function runOnce(): Promise<void> {
  const sdk = createRequire(createRequire(__filename).resolve('@livekit/agents'));
  await promisify(execFile)(process.execPath, ['-e', PROBE, sdk.resolve(PACKAGE)], {
    timeout: PROBE_TIMEOUT_MS,
  });
}

/** Call this before the worker is created. It prevents the SDK from registering its own runner, which would load the model at startup. */
export function startModelWhenUsed(): void {
  const runner = pathToFileURL(join(__dirname, 'end-of-turn-runner.js')).href;
  InferenceRunner.registerRunner(END_OF_TURN_METHOD, runner);
}

/**
 * Call this before the worker is created. It defines a runner that isn't enumerable: the SDK then neither starts a model process nor adds
 * its own runner.
 */
export function leaveOutModel(): void {
  Object.defineProperty(InferenceRunner.registeredRunners, END_OF_TURN_METHOD, {
    value: 'left out',
    enumerable: false,
  });
}
