/** Runs one spoken conversation: the caller speaks, listens, and asks once more if the answer lacks the expected words. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasAll, median } from '../caller/verdict';
import type { RoomCaller } from '../caller/room-caller';
import type { SpokenConversation } from './conversations';
import type { OnProgress } from '../../progress';
import { installPythonPackages } from '../../toolchain/python-packages';

const MAX_ATTEMPTS = 2;
const RESPONSE_TIMEOUT_MS = 60_000;

interface ConverseOptions {
  conversation: SpokenConversation;
  caller: RoomCaller;
  judge: Pick<Judge, 'readingsOf'>;
  /** Returns a sentence in the caller's voice, as 16-bit samples at 24 kHz. */
  voiceOf: (sentence: string) => Promise<Int16Array>;
}

export async function converseBySound(options: ConverseOptions): Promise<SpokenOutcome> {
  const { conversation, caller, judge } = options;
  const outcome: SpokenOutcome = {
    title: conversation.title,
    greeting: '',
    isGreeted: false,
    turns: [],
    broken: null,
  };
  if ((await caller.untilAnswered(RESPONSE_TIMEOUT_MS)) === null)
    return { ...outcome, broken: 'the agent did not greet the caller' };
  const greetings = await judge.readingsOf(caller.recording());
  outcome.greeting = greetings[0] ?? '';
  outcome.isGreeted = hasAll(greetings.join(' '), conversation.greeting);
  for (const turn of conversation.turns) {
    const voice = await options.voiceOf(turn.says);
    let heard: HeardTurn = { says: turn.says, heard: '', attempts: 0, isRight: false, firstAudioMs: null };
    while (!heard.isRight && heard.attempts < MAX_ATTEMPTS) {
      const spokenAtMs = await caller.say(voice);
      const answeredAtMs = await caller.untilAnswered(RESPONSE_TIMEOUT_MS);
      const readings = answeredAtMs === null ? [] : await judge.readingsOf(caller.recording());
      heard = {
        says: turn.says,
        heard: readings[0] ?? '',
        attempts: heard.attempts + 1,
        isRight: hasAll(readings.join(' '), turn.hears),
        firstAudioMs: answeredAtMs === null ? null : Math.round(answeredAtMs - spokenAtMs),
      };
    }
    outcome.turns.push(heard);
  }
  return outcome;
}

interface HeardTurn {
  says: string;
  /** The last answer, as the judge most likely understood it. */
  heard: string;
  /** More than 1 if the caller had to ask again. */
  attempts: number;
  /** True if each expected word is in at least one of the judge's readings. */
  isRight: boolean;
  /** From the caller's last word to the agent's first sound; null if the agent stayed silent. */
  firstAudioMs: number | null;
}

export interface SpokenOutcome {
  title: string;
  greeting: string;
  /** Like `isRight`, for the greeting. */
  isGreeted: boolean;
  turns: HeardTurn[];
  /** Why the conversation broke off; null if it was completed. */
  broken: string | null;
}

interface SpokenSummary {
  conversations: number;
  passed: number;
  /** Lowest share of passed runs of any conversation. */
  least_share: number;
  min_pass: number;
  turns: number;
  asked_again: number;
  first_audio_ms_p50: number | null;
}

export const passes = ({ turns }: SpokenConversation, outcome: SpokenOutcome): boolean =>
  outcome.broken === null &&
  outcome.isGreeted &&
  outcome.turns.length === turns.length &&
  outcome.turns.every(({ isRight }) => isRight);

export interface Played {
  conversation: SpokenConversation;
  outcomes: readonly SpokenOutcome[];
}

export function summaryOf(played: readonly Played[], minPass: number): SpokenSummary {
  const shares = played.map(({ conversation, outcomes }) => {
    const passed = outcomes.filter((outcome) => passes(conversation, outcome)).length;
    return { passed, share: outcomes.length === 0 ? 0 : passed / outcomes.length };
  });
  const outcomes = played.flatMap((one) => one.outcomes);
  const turns = outcomes.flatMap((outcome) => outcome.turns);
  return {
    conversations: outcomes.length,
    passed: shares.reduce((sum, { passed }) => sum + passed, 0),
    least_share: Math.min(1, ...shares.map(({ share }) => share)),
    min_pass: minPass,
    turns: turns.length,
    asked_again: turns.filter(({ attempts }) => attempts > 1).length,
    first_audio_ms_p50: median(turns.flatMap(({ firstAudioMs }) => firstAudioMs ?? [])),
  };
}

/** Every conversation must pass often enough. A good one can't make up for one that always fails. */
export const isEnough = ({ conversations, least_share, min_pass }: SpokenSummary): boolean =>
  conversations > 0 && least_share >= min_pass;

const FOLDER = join('dev', 'talk', 'spoken');
/** On a busy machine, recognising a second of speech takes about a second. */
const TIMEOUT_MS = 120_000;

export class Judge {
  private constructor(
    private readonly python: string,
    private readonly program: string,
  ) {}

  /** Downloads the packages on first use and verifies their checksums. */
  static async install(options: {
    repository: string;
    environment: NodeJS.ProcessEnv;
    onProgress: OnProgress;
  }): Promise<Judge> {
    const { python } = await installPythonPackages({
      ...options,
      name: 'spoken-judge',
      requirements: join(options.repository, FOLDER, 'requirements.txt'),
      title: 'the recogniser that judges',
      downloadMb: 30,
    });
    return new Judge(python, join(options.repository, FOLDER, 'python', 'judge.py'));
  }

  /** Returns possible readings of 16 kHz samples in lower case, likeliest first. Returns none if no words are recognised. English only. */
  async readingsOf(samples: Int16Array): Promise<string[]> {
    const running = promisify(execFile)(this.python, [this.program], { timeout: TIMEOUT_MS });
    // If the process ends before it has read all input, its exit is the error to report rather than the broken pipe.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
    return (await running).stdout.split('\n').filter((reading) => reading !== '');
  }
}
