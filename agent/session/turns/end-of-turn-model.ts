/**
 * Runs LiveKit's trained end-of-turn model, which judges the last 1.2 s of sound at each pause. All conversations of a worker share one
 * model process.
 */
import type { ipc } from '@livekit/agents';
import { valueAt } from '../../../domain/json';
import { withTimeout } from '../../../runtime/network/time-limit';
import { errorName, type Log } from '../../log';

/** The version that runs locally. Without a version, the SDK calls LiveKit's cloud in development. */
export const LOCAL_VERSION = 'v1-mini';

/** Name of the inference method that the SDK's detector calls in its worker. */
export const END_OF_TURN_METHOD = 'lk_eot_audio';
/** Silence with the length that the model needs: 1.2 s of 16-bit samples at 16 kHz. */
const SILENCE = Buffer.alloc(1.2 * 16_000 * 2);

/** The conversation benchmark searches the log for this message. */
const PAUSE_JUDGED = 'a pause is judged';

/** Result for every pause while the model is unavailable, so that only the rules decide. */
const FINISHED = { probability: 1, inferenceDurationMs: 0 };
/** Shorter than the SDK's limit of one second. After that second, the SDK would speak without considering the words. */
const ANSWER_TIMEOUT_MS = 700;
/** The first conversation after an idle time starts the model's process, which takes half a second or more. */
const START_TIMEOUT_MS = 15_000;
/** After this many failures in a row, the model is no longer used. */
const MAX_FAILURES = 3;

/**
 * Connects the SDK to the model, and starts the model with the conversation. Before the model responds and when it fails, every pause ends
 * the turn; the SDK alone would keep waiting.
 */
export class EndOfTurnModel implements ipc.InferenceExecutor {
  /** Resolves to true if the model answered its first request. Neither the SDK's executor nor its detector reports this. */
  readonly answers: Promise<boolean>;
  private isStarting = true;
  private failures = 0;
  private lastProbability: number | null = null;

  constructor(
    private readonly executor: ipc.InferenceExecutor,
    private readonly log: Log,
  ) {
    this.answers = this.start();
  }

  private async start(): Promise<boolean> {
    const request = this.executor.doInference(END_OF_TURN_METHOD, { pcm: SILENCE.toString('base64') });
    const answers = await withTimeout(START_TIMEOUT_MS, request).then(isAnswer, () => false);
    this.isStarting = false;
    if (!answers) {
      this.failures = MAX_FAILURES;
      this.log.warn({}, "the end-of-turn model isn't responding: only silence and words end a turn");
    }
    return answers;
  }

  /** Logs the model's judgement of the last pause, and the silence that therefore ends the turn. */
  judged(threshold: number, silenceMs: { finished: number; unfinished: number }): void {
    const { lastProbability } = this;
    if (lastProbability === null) return;
    const judgement = lastProbability < threshold ? 'unfinished' : 'finished';
    this.log.debug({ judgement, silence_ms: silenceMs[judgement] }, PAUSE_JUDGED);
  }

  async doInference(method: string, data: unknown): Promise<unknown> {
    this.lastProbability = null;
    if (this.failures >= MAX_FAILURES) return FINISHED;
    try {
      const answer = await withTimeout(ANSWER_TIMEOUT_MS, this.executor.doInference(method, data));
      if (!isAnswer(answer)) throw new Error('the model returned no probability');
      this.failures = 0;
      this.lastProbability = Number(valueAt(answer, 'probability'));
      return answer;
    } catch (error) {
      if (this.isStarting) return FINISHED;
      this.failures += 1;
      if (this.failures === MAX_FAILURES)
        this.log.warn(
          { error: errorName(error) },
          'the end-of-turn model stopped responding: only silence and words end a turn',
        );
      return FINISHED;
    }
  }
}

/** The SDK returns 0 when the model fails. For real sound, the probability is never exactly 0. */
const isAnswer = (answer: unknown): boolean => Number(valueAt(answer, 'probability')) > 0;
