/** Conversations with agents on the platform, as many at once as are wanted. */
import Joi from 'joi';
import type { AgentConfig } from '../../../domain/agent-config';
import type { ModelStandIn } from '../../../dev/model-stand-in/server';
import type { BenchStack } from '../bench-stack';
import { createAgent } from '../platform-client';
import { Caller } from './caller';
import type { Clips } from './clips';
import { MODEL_MS, modelOf, type Conversation } from './course';
import { TELEPHONE_RATE } from '../wave';

const WIDE_RATE = 48_000;
const GREETED_WITHIN_MS = 60_000;

const JOINED = Joi.object<{ token: string; room_name: string; connection_url: string }>({
  token: Joi.string().required(),
  room_name: Joi.string().required(),
  connection_url: Joi.string().required(),
});

/** One each for so many conversations, with models of its own, whose names differ. */
export async function createAgents(
  { client }: BenchStack,
  count: number,
  recogniser: 'stand-in' | 'local',
): Promise<string[]> {
  const agents: string[] = [];
  for (let nth = 0; nth < count; nth += 1) agents.push(await createAgent(client.api, agent(nth, recogniser)));
  return agents;
}

const agent = (nth: number, recogniser: 'stand-in' | 'local'): AgentConfig => {
  const standIn = (kind: keyof typeof MODEL_MS) => ({ provider: 'openai', model: modelOf(kind, nth) });
  const ears = recogniser === 'local' ? { provider: 'local' } : standIn('ears');
  return {
    persona: {
      identity: {
        system_prompt: 'You are at the desk of a clinic.',
        greeting_message: { agent_message: 'Hello.' },
      },
      senses_capabilities: {
        ears: { stt: { primary: ears } },
        brain: { llm: { primary: standIn('mind') } },
        mouth: { tts: { primary: standIn('mouth') } },
      },
    },
    experience: { settings: { call_settings: { max_call_duration: 30, max_duration_enabled: true } } },
  };
};

export interface Setting {
  agents: readonly string[];
  clips: Clips;
  models: ModelStandIn;
  recogniser: 'stand-in' | 'local';
}

/** Every second caller has a telephone's band. Resolves to what `work` does once all have been greeted; then they leave. */
export async function inConversations<T>(
  bench: BenchStack,
  { agents, clips, models, recogniser }: Setting,
  work: (conversations: readonly Conversation[]) => Promise<T>,
): Promise<T> {
  const conversations: Conversation[] = [];
  try {
    for (const [nth, agentId] of agents.entries()) {
      models.script(modelOf('mouth', nth), [{ text: '', delayMs: MODEL_MS.mouth }]);
      const sampleRate = nth % 2 === 0 ? WIDE_RATE : TELEPHONE_RATE;
      const { caller, callId } = await joined(bench, agentId, sampleRate);
      const isScripted = recogniser === 'stand-in';
      conversations.push({ caller, callId, sampleRate, nth, models, clips, isScripted, said: [] });
    }
    for (const { caller } of conversations)
      if (!(await caller.untilHeard(0, GREETED_WITHIN_MS))) throw new Error('an agent did not greet');
    return await work(conversations);
  } finally {
    await Promise.all(conversations.map(({ caller }) => caller.leave()));
  }
}

async function joined(
  { client }: BenchStack,
  agentId: string,
  sampleRate: number,
): Promise<Pick<Conversation, 'caller' | 'callId'>> {
  // The interface's own default is Hindi.
  const request = { agent_id: agentId, medium: 'webrtc', primary_language: 'en' };
  const session = await client.api.post('/api/trigger-call/', request, JOINED);
  // The room of a browser session has the call's name.
  const callId = session.room_name;
  return { caller: await Caller.join(session.connection_url, session.token, sampleRate), callId };
}
