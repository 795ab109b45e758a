/** An agent as one call runs it. */
import { metadataOf, type AgentConfig } from './agent-config';
import { deepMerge } from './deep-merge';
import { isJsonObject, type JsonObject } from './json';

/** The agent's stored version with the call's own changes over it. Changes that cannot be merged are left out. */
export function effectiveConfig(stored: unknown, modifyAgent: Record<string, unknown> | null): AgentConfig {
  const config = isJsonObject(stored) ? stored : {};
  if (modifyAgent === null || !isJsonObject(modifyAgent)) return config;
  const result = deepMerge(config, modifyAgent);
  return 'merged' in result ? result.merged : config;
}

/** What fills the templates of the agent's texts: the agent's own variables, over them the contact's or the dispatch's, and the person's name. */
export function templateVariables(
  config: AgentConfig,
  { variables, name }: { variables: Record<string, unknown>; name: string | null },
): JsonObject {
  return { ...metadataOf(config), ...variables, name };
}

/** The agent with the voice that a dispatch asked for, by its provider's name of it, in place of its own. */
export function spokenWith(config: AgentConfig, voice: string | null): AgentConfig {
  if (voice === null || !isJsonObject(config)) return config;
  const tts = { primary: { voice_id: voice } };
  const result = deepMerge(config, { persona: { senses_capabilities: { mouth: { tts } } } });
  return 'merged' in result ? result.merged : config;
}
