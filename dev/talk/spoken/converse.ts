/** Runs one spoken conversation: the caller speaks, listens, and asks once more if the answer lacks the expected words. */
import { hasAll } from '../caller/verdict';
import type { RoomCaller } from '../caller/room-caller';
import type { SpokenConversation } from './conversations';
import type { Judge } from './judge';
import type { HeardTurn, SpokenOutcome } from './outcome';

const MAX_ATTEMPTS = 2;
const ANSWERS_WITHIN_MS = 60_000;

export interface ConverseOptions {
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
  if ((await caller.untilAnswered(ANSWERS_WITHIN_MS)) === null)
    return { ...outcome, broken: 'the agent did not greet the caller' };
  const greetings = await judge.readingsOf(caller.recording());
  outcome.greeting = greetings[0] ?? '';
  outcome.isGreeted = hasAll(greetings.join(' '), conversation.greeting);
  for (const turn of conversation.turns) {
    const voice = await options.voiceOf(turn.says);
    let heard: HeardTurn = { says: turn.says, heard: '', attempts: 0, isRight: false, firstAudioMs: null };
    while (!heard.isRight && heard.attempts < MAX_ATTEMPTS) {
      const spokenAtMs = await caller.say(voice);
      const answeredAtMs = await caller.untilAnswered(ANSWERS_WITHIN_MS);
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
