/** Configuration of an agent for one call. */
import { resolveConfig, type AgentConfig, type ResolvedConfig } from './agent-config';
import { deepMerge } from './deep-merge';
import { isJsonObject, type JsonObject } from './json';

/** Merges the call's `modify_agent` over the stored configuration. Ignores changes that cannot be merged. */
export function mergedConfig(stored: unknown, modifyAgent: Record<string, unknown> | null): AgentConfig {
  const config = isJsonObject(stored) ? stored : {};
  if (modifyAgent === null || !isJsonObject(modifyAgent)) return config;
  const result = deepMerge(config, modifyAgent);
  return 'merged' in result ? result.merged : config;
}

/** Merges and resolves. Secrets stay encrypted; to read one, decrypt the merged configuration first. */
export const effectiveConfig = (
  stored: unknown,
  modifyAgent: Record<string, unknown> | null,
): ResolvedConfig => resolveConfig(mergedConfig(stored, modifyAgent));

/**
 * Variables for the agent's texts: the agent's own, overridden by the contact's or the dispatch's, and `name`. A browser session has no name,
 * so its variable `name` is used.
 */
export function templateVariables(
  { persona }: Pick<ResolvedConfig, 'persona'>,
  { variables, name }: { variables: Record<string, unknown>; name: string | null },
): JsonObject {
  const named = typeof variables.name === 'string' ? variables.name : null;
  return { ...persona.metadata, ...variables, name: name ?? named };
}

/** Replaces the agent's voice by the one that a dispatch requests. `voice` is the provider's id of the voice. */
export function spokenWith(config: AgentConfig, voice: string | null): AgentConfig {
  if (voice === null || !isJsonObject(config)) return config;
  const spoken: AgentConfig = {
    persona: { senses_capabilities: { mouth: { tts: { primary: { voice_id: voice } } } } },
  };
  const result = deepMerge(config, spoken);
  return 'merged' in result ? result.merged : config;
}
