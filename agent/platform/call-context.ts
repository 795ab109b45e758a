/**
 * Reads the call context and other API responses that a conversation depends on. They may come from an older or newer release of the API.
 */
import { resolveConfig, type ResolvedConfig } from '../../domain/agent-config';
import type { CallContextBody } from '../../domain/call-context';
import type { CustomLlmContext } from '../../domain/custom-llm-messages';
import { isJsonObject, valueAt, type JsonObject } from '../../domain/json';
import { fillTemplate } from '../../domain/template';

/** Options of a browser session. An option is null or false when the dispatch did not set it. */
interface SessionFields {
  welcomeMessage: string | null;
  isWelcomeInterruptible: boolean;
  voiceGender: 'male' | 'female' | null;
  primaryLanguage: string | null;
  secondaryLanguage: string | null;
  isBackgroundNoiseOn: boolean;
  /** From 0 to 100. */
  backgroundNoiseVolume: number | null;
  /** 1 is the voice's default speed. */
  voiceSpeed: number | null;
}

export interface CallContext {
  callId: string;
  medium: CallContextBody['medium'];
  direction: CallContextBody['direction'];
  agent: { name: string; config: ResolvedConfig };
  variables: JsonObject;
  session: SessionFields | null;
  maxTalkMs: number;
  ringTimeoutMs: number;
  amd: boolean;
  /** Spoken before the greeting. Empty for none. */
  disclosure: string;
  /** The fields that are sent to a custom LLM server. Null for agents without one. */
  customLlm: CustomLlmContext | null;
}

/** Throws when the body is not a call context. */
export function readCallContext(body: unknown): CallContext {
  const callId = valueAt(body, 'call_id');
  const maxTalkS = valueAt(body, 'max_talk_s');
  const ringTimeoutS = valueAt(body, 'ring_timeout_s');
  if (typeof callId !== 'string' || typeof maxTalkS !== 'number' || typeof ringTimeoutS !== 'number')
    throw new Error('the API returned an invalid call context');
  const session = valueAt(body, 'session');
  const customLlm = valueAt(body, 'custom_llm');
  return {
    callId,
    medium: valueAt(body, 'medium') === 'webrtc' ? 'webrtc' : 'telephony',
    direction: valueAt(body, 'direction') === 'Incoming' ? 'Incoming' : 'Outbound',
    agent: {
      name: textOf(valueAt(body, 'agent', 'name')) ?? '',
      // Resolved again, because an API of another release may have resolved the configuration differently.
      config: resolveConfig(valueAt(body, 'agent', 'config')),
    },
    variables: objectOf(valueAt(body, 'variables')),
    session: isJsonObject(session) ? readSession(session) : null,
    maxTalkMs: maxTalkS * 1000,
    ringTimeoutMs: ringTimeoutS * 1000,
    amd: valueAt(body, 'amd') === true,
    disclosure: textOf(valueAt(body, 'disclosure')) ?? '',
    customLlm: isJsonObject(customLlm) ? readCustomLlm(customLlm) : null,
  };
}

const readCustomLlm = (custom: JsonObject): CustomLlmContext => ({
  x_agent_id: textOf(custom.x_agent_id),
  modify_agent: isJsonObject(custom.modify_agent) ? custom.modify_agent : null,
  contact_number: textOf(custom.contact_number),
  metadata: objectOf(custom.metadata),
});

function readSession(session: JsonObject): SessionFields {
  const gender = session.voice_gender;
  return {
    welcomeMessage: textOf(session.welcome_message),
    isWelcomeInterruptible: session.welcome_interruptible !== false,
    voiceGender: gender === 'male' || gender === 'female' ? gender : null,
    primaryLanguage: textOf(session.primary_language),
    secondaryLanguage: textOf(session.secondary_language),
    isBackgroundNoiseOn: session.bg_noise_enabled === true,
    backgroundNoiseVolume: numberOf(session.bg_noise_volume),
    voiceSpeed: numberOf(session.voice_speed),
  };
}

export interface Greeting {
  /** Empty when the agent has no greeting. */
  text: string;
  /** True when the agent waits for the user's first words before it greets. */
  letsUserSpeakFirst: boolean;
}

/** Returns the greeting with its variables filled in. The welcome message of a session replaces the agent's greeting. */
export function greetingFor({ agent, session, variables }: CallContext): Greeting {
  const { agent_message: own, let_user_speak_first: first } = agent.config.persona.identity.greeting_message;
  return {
    text: fillTemplate(session?.welcomeMessage ?? own, variables),
    // If the dispatch sets a welcome message, the agent speaks first.
    letsUserSpeakFirst: first && typeof session?.welcomeMessage !== 'string',
  };
}

/** Returns the greeting with the disclosure before it. */
export const withDisclosure = ({ disclosure, variables }: CallContext, greeting: string): string =>
  [fillTemplate(disclosure, variables).trim(), greeting].filter(Boolean).join(' ');

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
