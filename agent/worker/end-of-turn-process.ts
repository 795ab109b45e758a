/** Decides whether the SDK's worker has a process for its model for the end of a turn, and whether that model runs on this machine. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { InferenceRunner } from '@livekit/agents';
import { errorName, type Log } from '../log';
import { END_OF_TURN_METHOD } from '../session/turns/end-of-turn-model';
import type { TurnDetector } from '../settings';

/** The SDK's package brings it; a processor that it was not built for ends the process. */
const PACKAGE = '@livekit/local-inference';
/** A second of silence, judged. */
const PROBE = `require(process.argv[1]).predict(new Int16Array(16000)).then((p) => process.exit(p > 0 ? 0 : 1))`;
const PROBE_WITHIN_MS = 60_000;

/** Logs what decides that a turn is over. Returns what the conversations are to use. */
export async function chooseTurnDetector(
  wanted: TurnDetector,
  log: Log,
  probe: () => Promise<unknown> = runOnce,
): Promise<TurnDetector> {
  if (wanted === 'off') {
    log.info({}, 'end of turn by silence and words: AGENT_TURN_DETECTOR is off');
    return 'off';
  }
  try {
    await probe();
    log.info({}, "end of turn by LiveKit's model");
    return 'local';
  } catch (error) {
    log.warn(
      { error: errorName(error) },
      'end of turn by silence and words: the model for it does not run here',
    );
    return 'off';
  }
}

/** One real inference in a process that ends with it. Rejects when that fails. */
async function runOnce(): Promise<void> {
  const sdk = createRequire(createRequire(__filename).resolve('@livekit/agents'));
  await promisify(execFile)(process.execPath, ['-e', PROBE, sdk.resolve(PACKAGE)], {
    timeout: PROBE_WITHIN_MS,
  });
}

/** Call it before the worker is created: the SDK then registers no runner of its own, which would hold the model from its start. */
export function startModelWhenUsed(): void {
  const runner = pathToFileURL(join(__dirname, 'end-of-turn-runner.js')).href;
  InferenceRunner.registerRunner(END_OF_TURN_METHOD, runner);
}

/** Call it before the worker is created. The SDK starts no process for models while none is listed, and adds its own unless one is there. */
export function leaveOutModel(): void {
  Object.defineProperty(InferenceRunner.registeredRunners, END_OF_TURN_METHOD, {
    value: 'left out',
    enumerable: false,
  });
}
