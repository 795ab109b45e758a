/** What a caller does in a conversation, so that each thing that is measured happens often. Nothing is measured here. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelStandIn } from '../../../dev/model-stand-in/server';
import { VOICE_RATE } from '../../../dev/talk/caller/room-caller';
import type { Caller } from './caller';
import { withPause, type Clip, type Clips, type Disturbance } from './clips';
import type { Probe } from './probes';
import { resampled } from '../wave';

export interface Course {
  /** Each is a question; a sound that is no turn in its answer; an interruption of an answer; the answer to that. */
  rounds: number;
  /** One sentence for each. */
  pausesMs: readonly number[];
}

export interface Conversation {
  caller: Caller;
  callId: string;
  /** Of the caller's microphone. */
  sampleRate: number;
  /** Names its models. */
  nth: number;
  models: ModelStandIn;
  clips: Clips;
  /** The recogniser is the stand-in: it is given the words. */
  isScripted: boolean;
  /** Grows by each sentence that the caller says; a backchannel is none. */
  said: string[];
}

/** Eight seconds of the stand-in's voice without a pause: it goes on until somebody speaks over it. */
export const LONG_ANSWER = `It is ${'on and '.repeat(18)}on`;
export const SHORT_ANSWER = 'Of course it is';
/** The time that the stand-in's models take, in the middle of what hosted ones do. */
export const MODEL_MS = { ears: 200, mind: 250, mouth: 150 } as const;

export const modelOf = (kind: keyof typeof MODEL_MS, nth: number): string => `${kind}-${nth}`;

const ANSWERS_WITHIN_MS = 12_000;
/** From the agent's first sound to the one over it. */
const SPOKEN_MS = 900;
/** How long it is looked at whether the agent stops. */
const STOPS_WITHIN_MS = 1_600;
const QUIET_MS = 700;
/** An agent that speaks is heard. */
const HEARS_WITHIN_MS = 300;

/** What happened, to be looked at on the tracks. */
export async function hold(conversation: Conversation, course: Course): Promise<Probe[]> {
  const { clips, nth } = conversation;
  const probes: Probe[] = [];
  for (let round = 0; round < course.rounds; round += 1) {
    const turn = round + nth;
    await untilQuiet(conversation);
    probes.push(await ask(conversation, at(clips.questions, turn), 0, LONG_ANSWER));
    await delay(SPOKEN_MS);
    probes.push(await disturb(conversation, at(clips.disturbances, turn)));
    // A sound that stopped it leaves nothing to interrupt.
    if (!(await conversation.caller.untilHeard(performance.now(), HEARS_WITHIN_MS))) {
      await untilQuiet(conversation);
      probes.push(await ask(conversation, at(clips.questions, turn + 1), 0, LONG_ANSWER));
      await delay(SPOKEN_MS);
    }
    probes.push(...(await interrupt(conversation, at(clips.interruptions, turn))));
  }
  for (const [turn, pauseMs] of course.pausesMs.entries()) {
    await untilQuiet(conversation);
    const clip = withPause(at(clips.halting, turn + nth), pauseMs);
    probes.push(await ask(conversation, clip, pauseMs, SHORT_ANSWER));
  }
  return probes;
}

/** Until the answer is heard, or it is clear that none comes. */
async function ask(conversation: Conversation, clip: Clip, pauseMs: number, answer: string): Promise<Probe> {
  const { caller } = conversation;
  conversation.said.push(clip.words);
  script(conversation, clip.words, answer);
  const fromMs = performance.now();
  await caller.say(samplesOf(conversation, clip));
  await caller.untilHeard(performance.now(), ANSWERS_WITHIN_MS);
  return { kind: 'turn', pauseMs, fromMs, untilMs: await soon() };
}

/** The agent is interrupted, then it answers the interruption. */
async function interrupt(conversation: Conversation, clip: Clip): Promise<Probe[]> {
  const { caller } = conversation;
  conversation.said.push(clip.words);
  script(conversation, clip.words, SHORT_ANSWER);
  const fromMs = performance.now();
  await caller.say(samplesOf(conversation, clip));
  const stopped: Probe = { kind: 'interruption', fromMs, untilMs: await soon() };
  // What it still said of its answer is none to the interruption.
  if (!(await caller.untilSilent(QUIET_MS / 2, STOPS_WITHIN_MS))) return [stopped];
  await caller.untilHeard(performance.now(), ANSWERS_WITHIN_MS);
  return [stopped, { kind: 'turn', pauseMs: 0, fromMs, untilMs: await soon() }];
}

async function disturb(conversation: Conversation, clip: Disturbance): Promise<Probe> {
  const { caller, models, nth } = conversation;
  const answersAsked = (): number => models.requests(modelOf('mind', nth)).length;
  script(conversation, clip.words, LONG_ANSWER);
  const [fromMs, before] = [performance.now(), answersAsked()];
  await caller.say(samplesOf(conversation, clip));
  await delay(STOPS_WITHIN_MS);
  const isAnswered = answersAsked() > before;
  return { kind: 'disturbance', name: clip.name, isAnswered, fromMs, untilMs: performance.now() };
}

/** What is heard now is on the track a moment later. */
async function soon(): Promise<number> {
  const untilMs = performance.now();
  await delay(300);
  return untilMs;
}

const untilQuiet = ({ caller }: Conversation): Promise<boolean> =>
  caller.untilSilent(QUIET_MS, ANSWERS_WITHIN_MS);

/** Of whatever is said next. */
function script({ models, nth, isScripted }: Conversation, words: string, answer: string): void {
  if (isScripted) models.script(modelOf('ears', nth), [{ text: words, delayMs: MODEL_MS.ears }]);
  models.script(modelOf('mind', nth), [{ text: answer, delayMs: MODEL_MS.mind }]);
}

const samplesOf = ({ sampleRate }: Conversation, { samples }: Clip): Int16Array =>
  resampled(samples, VOICE_RATE, sampleRate);

function at<T>(items: readonly T[], nth: number): T {
  const item = items[nth % items.length];
  if (item === undefined) throw new Error('there is nothing to play');
  return item;
}
