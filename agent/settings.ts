/** Reads the settings of the agent's processes and of text conversations. `config/` documents each variable. */
import { readVariables, type Environment, type Values } from '../config/read';
import { AGENT_VARIABLES, PROVIDER_KEYS } from '../config/agent';
import {
  parseModelName,
  readEndpoints,
  type ModelName,
  type SpeechSettings,
} from './providers/speech-settings';

export type AgentSettings = ReturnType<typeof readAgentSettings>;

export type NoiseSuppression = AgentSettings['noiseSuppression'];
export type TurnDetector = AgentSettings['turnDetector'];

/**
 * An empty variable is treated as unset.
 * @throws one error that names every fault
 */
export function readAgentSettings(env: Environment) {
  const { values, settings } = readVariables(AGENT_VARIABLES, 'agent', env);
  const metricsPort = values.AGENT_METRICS_PORT;
  return {
    ...settings,
    livekit: {
      url: values.LIVEKIT_URL,
      apiKey: values.LIVEKIT_API_KEY,
      apiSecret: values.LIVEKIT_API_SECRET,
    },
    /** Null to fetch the deployment's agent name from the API. LiveKit dispatches rooms to agents with this name. */
    agentName: values.LIVEKIT_AGENT_NAME,
    /** Share of CPU time at which the worker stops accepting conversations. Null for no limit. */
    maxLoad: values.AGENT_MAX_LOAD === 1 ? null : values.AGENT_MAX_LOAD,
    /** How long conversations can continue after SIGTERM, in milliseconds. */
    drainMs: values.AGENT_DRAIN_S * 1000,
    speech: speechOf(values, env),
    /** Address of the Prometheus endpoint. Null disables it. */
    metrics: metricsPort === null ? null : { host: values.METRICS_HOST, port: metricsPort },
  };
}

export type ModelSettings = ReturnType<typeof readModelSettings>;

/** Reads the settings of a text conversation, which uses neither a room nor the API. */
export function readModelSettings(env: Environment) {
  const { values, settings } = readVariables(AGENT_VARIABLES, 'chat', env);
  return { ...settings, speech: speechOf(values, env) };
}

function speechOf(values: Values<typeof AGENT_VARIABLES, 'chat'>, env: Environment): SpeechSettings {
  return {
    endpoints: readEndpoints(
      env,
      { url: values.OPENAI_BASE_URL, apiKey: values.OPENAI_API_KEY },
      { url: values.LOCAL_MODELS_URL, apiKey: null },
    ),
    keys: readVariables(PROVIDER_KEYS, 'chat', env).settings,
    defaults: {
      stt: modelOf(values.AGENT_STT),
      llm: modelOf(values.AGENT_LLM),
      tts: modelOf(values.AGENT_TTS),
    },
  };
}

const modelOf = (name: string | null): ModelName | null => (name === null ? null : parseModelName(name));
