/** Conversations with an agent whose models answer at once: what is left is the platform's own share of the wait, and what each takes. */
import { dispose } from '@livekit/rtc-node';
import Joi from 'joi';
import type { AgentConfig } from '../../../workflows/domain/agent-config';
import { startModelStandIn, type ModelStandIn } from '../../../dev/model-stand-in/server';
import type { BenchStack } from '../bench-stack';
import { figure, type Figure } from '../figure';
import { onStack, type BenchRun } from '../on-stack';
import { percentile } from '../percentile';
import { createAgent } from '../platform-client';
import { eachMore, measureProcesses, type ProcessUse } from '../process-use';
import { Caller } from './caller';

/** Conversations at once, one step after the other, until the wait has doubled. */
const STEPS = [1, 2, 4, 6, 8, 12, 16] as const;
const TURNS = { alone: 20, together: 8 } as const;
const SPEECH_MS = 1_200;
const ANSWER_WITHIN_MS = 15_000;
const GREETED_WITHIN_MS = 60_000;
/** Where the machine is full, agents are late and some turns are never answered. */
const DOUBLED = 2;

const JOINED = Joi.object<{ token: string; connection_url: string; room_name: string }>({
  token: Joi.string().required(),
  connection_url: Joi.string().required(),
  room_name: Joi.string().required(),
});

interface Step {
  conversations: number;
  /** Of turns that were answered. */
  waitsMs: number[];
  unanswered: number;
  processes: ProcessUse[];
}

/** About six minutes. Media server, agent, models and callers all run on this machine. */
export async function measureVoice(run: BenchRun): Promise<Figure[]> {
  const models = await startModelStandIn();
  try {
    const settings = {
      ringMs: 300,
      talkMs: 1_000,
      lines: Math.max(...STEPS),
      telephony: 'livekit',
      agentEnvironment: agentEnvironment(models),
    } as const;
    return await onStack(run, settings, (bench) => measureSteps(run, bench, models));
  } finally {
    await models.close();
    // The library of the callers would keep the process.
    await dispose();
  }
}

const agentEnvironment = ({ url }: ModelStandIn) => ({
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: 'stand-in',
  AGENT_STT: 'openai/ears',
  AGENT_LLM: 'openai/mind',
  AGENT_TTS: 'openai/mouth',
  AGENT_SILENCE_MS: '60000',
  AGENT_IDLE_PROCESSES: '2',
});

const TALKATIVE: AgentConfig = {
  persona: {
    identity: {
      system_prompt: 'You are at the desk of a clinic.',
      greeting_message: { agent_message: 'Hello.' },
    },
  },
  experience: { settings: { call_settings: { max_call_duration: 30, max_duration_enabled: true } } },
};

async function measureSteps(run: BenchRun, bench: BenchStack, models: ModelStandIn): Promise<Figure[]> {
  models.script('ears', [{ text: 'When are you open?' }]);
  models.script('mind', [{ text: 'Until six.' }]);
  const agentId = await createAgent(bench.client.api, TALKATIVE);
  await inConversations(bench, agentId, 1, 2);
  const idle = await measureProcesses(bench);
  const steps: Step[] = [];
  for (const conversations of STEPS) {
    const turns = conversations === 1 ? TURNS.alone : TURNS.together;
    const step = await inConversations(bench, agentId, conversations, turns);
    steps.push(step);
    run.say(`${conversations} at once: ${Math.round(percentile(step.waitsMs, 0.5))} ms`);
    if (isDoubled(step, steps[0])) break;
  }
  return figuresOf(steps, idle);
}

const isDoubled = ({ waitsMs, unanswered }: Step, first: Step | undefined): boolean =>
  unanswered > 0 || percentile(waitsMs, 0.5) > DOUBLED * percentile(first?.waitsMs ?? [], 0.5);

/** The callers speak in turn with their agents, each by its own clock; all processes are measured meanwhile. */
async function inConversations(
  bench: BenchStack,
  agentId: string,
  conversations: number,
  turns: number,
): Promise<Step> {
  const callers: Caller[] = [];
  try {
    for (let nth = 0; nth < conversations; nth += 1) callers.push(await joined(bench, agentId));
    for (const caller of callers) await caller.untilQuiet(GREETED_WITHIN_MS);
    const measuring = measureProcesses(bench);
    const waits = (await Promise.all(callers.map((caller) => talk(caller, turns)))).flat();
    const waitsMs = waits.filter((wait) => wait !== null);
    return { conversations, waitsMs, unanswered: waits.length - waitsMs.length, processes: await measuring };
  } finally {
    await Promise.all(callers.map((caller) => caller.leave()));
  }
}

async function joined({ client }: BenchStack, agentId: string): Promise<Caller> {
  const session = await client.api.post(
    '/api/trigger-call/',
    { agent_id: agentId, medium: 'webrtc' },
    JOINED,
  );
  return Caller.join(session.connection_url, session.token);
}

async function talk(caller: Caller, turns: number): Promise<(number | null)[]> {
  const waits: (number | null)[] = [];
  for (let nth = 0; nth < turns; nth += 1) {
    waits.push(await caller.turn(SPEECH_MS, ANSWER_WITHIN_MS));
    await caller.untilQuiet(ANSWER_WITHIN_MS);
  }
  return waits;
}

function figuresOf(steps: readonly Step[], idle: readonly ProcessUse[]): Figure[] {
  const held = steps.filter((step) => !isDoubled(step, steps[0]));
  const most = held.at(-1);
  return [
    ...steps.flatMap(({ conversations, waitsMs, unanswered }) => [
      figure(`${conversations} talking: last word to first sound, p50`, percentile(waitsMs, 0.5), 'ms'),
      figure(`${conversations} talking: last word to first sound, p95`, percentile(waitsMs, 0.95), 'ms'),
      ...(unanswered > 0 ? [figure(`${conversations} talking: turns not answered`, unanswered, '')] : []),
    ]),
    figure('conversations before the wait doubles', most?.conversations ?? 0, ''),
    ...(most === undefined ? [] : eachMore(most.processes, idle, most.conversations, 'conversation')),
  ];
}
