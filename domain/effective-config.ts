/** An agent as one call runs it. */
import { resolveConfig, type AgentConfig, type ResolvedConfig } from './agent-config';
import { deepMerge } from './deep-merge';
import { isJsonObject, type JsonObject } from './json';

/** The agent's stored version with the call's own changes over it. Changes that cannot be merged are left out. */
export function mergedConfig(stored: unknown, modifyAgent: Record<string, unknown> | null): AgentConfig {
  const config = isJsonObject(stored) ? stored : {};
  if (modifyAgent === null || !isJsonObject(modifyAgent)) return config;
  const result = deepMerge(config, modifyAgent);
  return 'merged' in result ? result.merged : config;
}

/** The same, resolved. Secrets are sealed in it: code that needs one opens the merged configuration first. */
export const effectiveConfig = (
  stored: unknown,
  modifyAgent: Record<string, unknown> | null,
): ResolvedConfig => resolveConfig(mergedConfig(stored, modifyAgent));

/**
 * What fills the templates of the agent's texts: the agent's own variables, over them the contact's or the dispatch's, and the person's name.
 * A browser session names nobody, so there its variable `name` is the person's.
 */
export function templateVariables(
  { persona }: Pick<ResolvedConfig, 'persona'>,
  { variables, name }: { variables: Record<string, unknown>; name: string | null },
): JsonObject {
  const named = typeof variables.name === 'string' ? variables.name : null;
  return { ...persona.metadata, ...variables, name: name ?? named };
}

/** The agent with the voice that a dispatch asked for, by its provider's name of it, in place of its own. */
export function spokenWith(config: AgentConfig, voice: string | null): AgentConfig {
  if (voice === null || !isJsonObject(config)) return config;
  const spoken: AgentConfig = {
    persona: { senses_capabilities: { mouth: { tts: { primary: { voice_id: voice } } } } },
  };
  const result = deepMerge(config, spoken);
  return 'merged' in result ? result.merged : config;
}
