/** Runs the scripted caller's conversation with the front desk and returns the verdict. */
import Joi from 'joi';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../demo/api-client';
import { printProgress } from '../../progress';
import { repositoryRoot } from '../../stack/repository';
import { cacheFolder } from '../../toolchain/cache-folder';
import { findChromium } from '../../toolchain/media-tools';
import type { Environment } from '../../stack/platform-environment';
import type { Stack } from '../../stack/stack';
import type { CreatedAgent } from '../agents';
import type { Doorway } from '../doorway';
import type { LanguageModel } from '../language-model';
import { BrowserCaller } from './browser-caller';
import { LocalSpeech, workIn } from './local-speech';
import { FRONT_DESK, QUESTIONS, type Question, verdictOn, type Turn, type Verdict } from './verdict';

interface ScriptedTalkOptions {
  stack: Stack;
  organization: { key: string };
  agents: readonly CreatedAgent[];
  doorway: Doorway;
  languageModel: LanguageModel;
  modelsUrl: string;
  environment: Environment;
  err: NodeJS.WriteStream;
  say: (...lines: string[]) => void;
  signal: AbortSignal;
}

const JOIN_TIMEOUT_MS = 60_000;
const RESPONSE_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 30_000;
const CHECK_EVERY_MS = 250;
/** The sample rate of the page's recording. */
const HEARD_RATE = 48_000;

export async function talkByScript(
  options: ScriptedTalkOptions,
): Promise<{ verdict: Verdict; lines: string[] }> {
  const { stack, modelsUrl, environment, say } = options;
  const chromium = await findChromium({
    configuredPath: environment.CHROMIUM_PATH,
    environment,
    cacheFolder: cacheFolder(environment),
    onProgress: printProgress(options.err),
  });
  const agent = options.agents.find(({ name }) => name === FRONT_DESK);
  if (agent === undefined) throw new Error(`there is no example agent "${FRONT_DESK}"`);
  const speech = new LocalSpeech(modelsUrl);
  const spoken = await prepared(speech);
  const caller = await BrowserCaller.open({
    repository: repositoryRoot(),
    chromiumPath: chromium.path,
    address: options.doorway.addressFor(agent.id),
  });
  const stop = (): void => void caller.close();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    const startedAtMs = Date.now();
    await caller.startTalking(JOIN_TIMEOUT_MS);
    const greetedAtMs = await caller.untilAnswered(RESPONSE_TIMEOUT_MS);
    if (greetedAtMs === null) throw new Error('the agent did not greet the caller: no sound was heard');
    say(`The agent was heard ${((greetedAtMs - startedAtMs) / 1000).toFixed(1)} s after the click.`);
    const recordings: { turn: Omit<Turn, 'answer'>; recording: Buffer }[] = [];
    for (const { question, samples } of spoken) {
      const spokenAtMs = await caller.say(samples);
      const answeredAtMs = await caller.untilAnswered(RESPONSE_TIMEOUT_MS);
      recordings.push({
        turn: { question, spokenAtMs, answeredAtMs },
        recording: await caller.recording(),
      });
    }
    await caller.stopTalking(END_TIMEOUT_MS);
    // Judges the recordings after the conversation, because recognition would take CPU time from the agent.
    const turns: Turn[] = [];
    for (const { turn, recording } of recordings)
      turns.push({ ...turn, answer: await speech.transcript(recording, HEARD_RATE) });
    const heard = await heardBy(options, agent);
    const work = options.languageModel.isTimed
      ? await workIn(join(stack.dataFolder, 'logs', 'local-models.log'))
      : null;
    return { verdict: verdictOn(turns, heard, work), lines: storyOf(turns, heard) };
  } finally {
    options.signal.removeEventListener('abort', stop);
    await caller.close();
  }
}

/** Synthesises the questions before the conversation, because synthesis would take CPU time from the agent. */
async function prepared(speech: LocalSpeech): Promise<{ question: Question; samples: Buffer }[]> {
  const all: { question: Question; samples: Buffer }[] = [];
  for (const question of QUESTIONS) all.push({ question, samples: await speech.speech(question.says) });
  return all;
}

const CALLS = Joi.object<{ data: CallRow[] }>({
  data: Joi.array()
    .items(
      Joi.object({
        End_time: Joi.string().allow(null).required(),
        chat_history: Joi.array()
          .items(
            Joi.object({
              role: Joi.string().required(),
              content: Joi.string().allow('').required(),
            }).unknown(),
          )
          .required(),
      }).unknown(),
    )
    .required(),
}).unknown();

interface CallRow {
  End_time: string | null;
  chat_history: { role: string; content: string }[];
}

/** Returns the caller's words from the call history, once the call is over. */
async function heardBy(
  { stack, organization, signal }: ScriptedTalkOptions,
  agent: CreatedAgent,
): Promise<string[]> {
  const api = new ApiClient({ baseUrl: stack.apiUrl, key: organization.key, signal });
  const until = Date.now() + END_TIMEOUT_MS;
  for (;;) {
    const { data } = await api.get(`/api/call-history?agent_id=${agent.id}`, CALLS);
    const [call] = data;
    if (call !== undefined && (call.End_time !== null || Date.now() > until))
      return call.chat_history.filter(({ role }) => role === 'user').map(({ content }) => content);
    if (Date.now() > until) throw new Error('the conversation is not in the call history');
    await delay(CHECK_EVERY_MS);
  }
}

function storyOf(turns: readonly Turn[], heard: readonly string[]): string[] {
  return [
    '',
    ...turns.flatMap(({ question, answer, spokenAtMs, answeredAtMs }) => [
      `  caller  ${question.says}`,
      `  agent   ${answer || '(nothing)'}${answeredAtMs === null ? '' : `   (after ${answeredAtMs - spokenAtMs} ms)`}`,
    ]),
    '',
    `  transcript of the caller: ${heard.join(' | ')}`,
    '',
  ];
}
