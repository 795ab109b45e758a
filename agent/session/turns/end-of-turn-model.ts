/**
 * LiveKit's trained model for the end of a turn judges the last 1.2 s of sound at each pause. All conversations of a worker share its process.
 */
import type { ipc } from '@livekit/agents';
import { valueAt } from '../../../domain/json';
import { errorName, type Log } from '../../log';

/** The detector of the version that runs here. Without a version the SDK asks LiveKit's cloud in development. */
export const LOCAL_VERSION = 'v1-mini';

/** What the SDK's detector asks its worker for. */
export const END_OF_TURN_METHOD = 'lk_eot_audio';
/** As much as the model hears, 16-bit at 16 kHz. */
const SILENCE = Buffer.alloc(1.2 * 16_000 * 2);

/** The message in the log; the benchmark of conversations reads it. */
export const PAUSE_JUDGED = 'a pause is judged';

/** What the rules without a model take every pause for. */
const FINISHED = { probability: 1, inferenceDurationMs: 0 };
/** The SDK itself waits a second for an answer, then speaks without looking at the words. */
const ANSWERS_WITHIN_MS = 700;
/** The first conversation after a quiet time starts the process of the model: half a second, and more on a busy machine. */
const STARTS_WITHIN_MS = 15_000;
/** In a row. */
const MOST_FAILURES = 3;

/**
 * The SDK's way to the model, which starts with the conversation. Until it answers, and where it fails, a pause counts as the end of the turn,
 * as without the model. The SDK would wait.
 */
export class EndOfTurnModel implements ipc.InferenceExecutor {
  /** Whether the model answered its first request. Neither the SDK's executor nor its detector report that. */
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
    const answers = await within(STARTS_WITHIN_MS, request).then(isAnswer, () => false);
    this.isStarting = false;
    if (!answers) {
      this.failures = MOST_FAILURES;
      this.log.warn({}, 'end of turn by silence and words: the model for it does not answer');
    }
    return answers;
  }

  /** Logs how the pause of the last answer is judged, with the silence that ends the turn then. */
  judged(threshold: number, silenceMs: { finished: number; unfinished: number }): void {
    const { lastProbability } = this;
    if (lastProbability === null) return;
    const judgement = lastProbability < threshold ? 'unfinished' : 'finished';
    this.log.debug({ judgement, silence_ms: silenceMs[judgement] }, PAUSE_JUDGED);
  }

  async doInference(method: string, data: unknown): Promise<unknown> {
    this.lastProbability = null;
    if (this.failures >= MOST_FAILURES) return FINISHED;
    try {
      const answer = await within(ANSWERS_WITHIN_MS, this.executor.doInference(method, data));
      if (!isAnswer(answer)) throw new Error('the model gave no probability');
      this.failures = 0;
      this.lastProbability = Number(valueAt(answer, 'probability'));
      return answer;
    } catch (error) {
      if (this.isStarting) return FINISHED;
      this.failures += 1;
      if (this.failures === MOST_FAILURES)
        this.log.warn(
          { error: errorName(error) },
          'end of turn by silence and words: the model for it answers no more',
        );
      return FINISHED;
    }
  }
}

/** The SDK answers 0 when the model fails; no sound has a probability of exactly 0. */
const isAnswer = (answer: unknown): boolean => Number(valueAt(answer, 'probability')) > 0;

async function within<T>(limitMs: number, task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), limitMs);
  });
  return Promise.race([task, limit]).finally(() => clearTimeout(timer));
}
