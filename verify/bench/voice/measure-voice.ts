/** Conversations in real rooms with the real agent, measured by their sound: what the caller says and what the caller hears. */
import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { dispose } from '@livekit/rtc-node';
import { silenceParticipantSdk } from '../../../agent/livekit/silence-sdk-log';
import { installLocalModels } from '../../../dev/local-models/install';
import { localModelsProcess, localModelsUrl } from '../../../dev/local-models/process';
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { repositoryRoot } from '../../../dev/stack/repository';
import { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import type { BenchStack } from '../bench-stack';
import { figure, type Figure } from '../figure';
import { onStack, type BenchRun } from '../on-stack';
import { measureProcesses, mediaOf, processesDuring } from '../process-use';
import { makeClips } from './clips';
import { createAgents, inConversations, type Setting } from './conversations';
import { hold, modelOf, type Conversation, type Course } from './course';
import { heardWords } from './heard-words';
import { judgedPauses } from './judged-pauses';
import { measureNoise } from './noise-words';
import { outcomeOf } from './probes';
import { measureRoomWay } from './room-way';
import { mistakeFigures, stepFigures, type Measured, type Step } from './voice-figures';
import { errorRate, wordErrors } from './word-errors';

/** Conversations at once, and what each has. */
const STEPS: readonly (Omit<Course, 'pausesMs'> & { conversations: number })[] = [
  { conversations: 1, rounds: 5 },
  { conversations: 4, rounds: 3 },
  { conversations: 8, rounds: 3 },
];
const PAUSES_MS = [400, 800, 1_200, 1_600] as const;
/** By the local recogniser: one in wide band, one in a telephone's. */
const HEARD = { conversations: 2, rounds: 3 } as const;
const MOST = Math.max(...STEPS.map(({ conversations }) => conversations));

/** About six minutes. Media server, agent, models and callers all run on this machine. */
export async function measureVoice(run: BenchRun): Promise<Figure[]> {
  silenceParticipantSdk();
  const repository = repositoryRoot();
  const { environment, onProgress } = run;
  const { python } = await installLocalModels({ repository, environment, onProgress });
  const port = await freePort(0);
  const models = await startModelStandIn();
  const settings = {
    ringMs: 300,
    talkMs: 1_000,
    lines: MOST + HEARD.conversations,
    telephony: 'livekit',
    agentEnvironment: agentEnvironment(models, port),
    beside: [localModelsProcess({ repository, environment, python, port })],
  } as const;
  try {
    const speech = new LocalSpeech(localModelsUrl(port));
    return await onStack(run, settings, (bench) => measureAll(run, bench, models, speech));
  } finally {
    await models.close();
    releasePort(port);
    // The library of the callers would keep the process.
    await dispose();
  }
}

const agentEnvironment = ({ url }: ModelStandIn, localPort: number) => ({
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: 'stand-in',
  LOCAL_MODELS_URL: localModelsUrl(localPort),
  AGENT_SILENCE_MS: '60000',
  // For how it judges pauses.
  LOG_LEVEL: 'debug',
  AGENT_IDLE_PROCESSES: '2',
  // What a full machine does to conversations is to be seen.
  AGENT_MAX_LOAD: '1',
});

async function measureAll(
  run: BenchRun,
  bench: BenchStack,
  models: ModelStandIn,
  speech: LocalSpeech,
): Promise<Figure[]> {
  run.say('Speech for the callers.');
  const clips = await makeClips(speech);
  const roomWayMs = await measureRoomWay(mediaOf(bench));
  run.say(`A sound takes ${Math.round(roomWayMs)} ms through a room.`);
  const heard = await measureHeard(run, bench, { models, clips });
  const [noise, idle] = await Promise.all([measureNoise(speech, run.say), measureProcesses(bench)]);
  const agents = await createAgents(bench, MOST, 'stand-in');
  const steps: Step[] = [];
  const lateness = monitorEventLoopDelay({ resolution: 5 });
  lateness.enable();
  for (const step of STEPS) {
    run.say(`${step.conversations} at once.`);
    const setting = {
      clips,
      models,
      recogniser: 'stand-in',
      agents: agents.slice(0, step.conversations),
    } as const;
    steps.push(await measureStep(bench, setting, step.rounds));
  }
  lateness.disable();
  return [
    figure('sound through a room, from one participant to another, p50 of 10', roomWayMs, 'ms'),
    ...steps.flatMap((step) => stepFigures(step, idle)),
    ...mistakeFigures(
      'models with known delays',
      steps.flatMap(({ measured }) => measured),
    ),
    ...heard,
    ...noise,
    figure('the callers’ own process was late, p99', lateness.percentile(99) / 1e6, 'ms'),
  ];
}

async function measureStep(bench: BenchStack, setting: Setting, rounds: number): Promise<Step> {
  const { agents } = setting;
  return inConversations(bench, setting, async (conversations) => {
    const pauses = agents.length === 1 ? PAUSES_MS.length : PAUSES_MS.length / 2;
    const { used, result } = await processesDuring(bench, () => measured(conversations, rounds, pauses));
    const log = await readFile(mediaOf(bench).agent.logFile, 'utf8');
    const all = result.map((one, nth) => ({ ...one, pauses: judgedPauses(log, conversations[nth]?.callId) }));
    return { conversations: agents.length, measured: all, processes: used };
  });
}

/** The callers speak in turn with their agents, each by its own clock. */
const measured = (
  conversations: readonly Conversation[],
  rounds: number,
  pauses: number,
): Promise<Omit<Measured, 'pauses'>[]> =>
  Promise.all(
    conversations.map(async (conversation) => {
      const { caller, nth } = conversation;
      const pausesMs = [...PAUSES_MS, ...PAUSES_MS].slice(nth % PAUSES_MS.length).slice(0, pauses);
      const probes = await hold(conversation, { rounds, pausesMs });
      return { outcomes: probes.map((probe) => outcomeOf(probe, caller.tracks)), work: workOf(conversation) };
    }),
  );

const workOf = ({ models, nth }: Conversation) =>
  (['ears', 'mind', 'mouth'] as const)
    .flatMap((kind) => models.requests(modelOf(kind, nth)))
    .map(({ takenAtMs, answeredAtMs }) => ({
      fromMs: takenAtMs,
      ms: (answeredAtMs ?? performance.now()) - takenAtMs,
    }));

/** With the local recogniser, whose work takes most of two processors. */
async function measureHeard(
  run: BenchRun,
  bench: BenchStack,
  { models, clips }: Pick<Setting, 'models' | 'clips'>,
): Promise<Figure[]> {
  run.say('Conversations with the local recogniser.');
  const agents = await createAgents(bench, HEARD.conversations, 'local');
  const setting = { clips, models, recogniser: 'local', agents } as const;
  const all = await inConversations(bench, setting, async (conversations) => {
    const outcomes = await measured(conversations, HEARD.rounds, PAUSES_MS.length / 2);
    return conversations.map(({ said, sampleRate }, nth) => ({ said, sampleRate, measured: outcomes[nth] }));
  });
  const words: Figure[] = [];
  for (const [nth, { said, sampleRate }] of all.entries()) {
    const heard = await heardWords(bench.client, agents[nth] ?? '');
    const errors = wordErrors(said.join(' '), heard);
    if (errors.errors > 0) run.say(`Said:  ${said.join(' ')}\nHeard: ${heard}`);
    words.push(
      figure(
        `local recogniser, microphone at ${sampleRate / 1000} kHz: words misheard, of ${errors.words}`,
        errorRate([errors]),
        '%',
      ),
    );
  }
  return [
    ...words,
    ...mistakeFigures(
      'local recogniser',
      all.flatMap((one) => one.measured ?? []),
    ),
  ];
}
