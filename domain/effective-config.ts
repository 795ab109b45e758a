/** Derives the configuration of an agent for one call. */
import { resolveConfig, type AgentConfig, type ResolvedConfig } from './agent-config';
import { isJsonObject, type JsonObject } from './json';
import { describeJsonFault, jsonFaults } from './json-faults';

/** Merges the call's `modify_agent` into the stored configuration. Ignores changes that cannot be merged. */
export function mergedConfig(stored: unknown, modifyAgent: Record<string, unknown> | null): AgentConfig {
  const config = isJsonObject(stored) ? stored : {};
  if (modifyAgent === null || !isJsonObject(modifyAgent)) return config;
  const result = deepMerge(config, modifyAgent);
  return 'merged' in result ? result.merged : config;
}

/**
 * Merges and resolves the configuration. Secrets stay encrypted. To read a secret, decrypt the merged configuration before you resolve it.
 */
export const effectiveConfig = (
  stored: unknown,
  modifyAgent: Record<string, unknown> | null,
): ResolvedConfig => resolveConfig(mergedConfig(stored, modifyAgent));

/**
 * Returns the variables for the agent's texts: the agent's own, overridden by those of the contact or the dispatch, plus `name`. A browser
 * session has no name, so it uses its variable `name`.
 */
export function templateVariables(
  { persona }: Pick<ResolvedConfig, 'persona'>,
  { variables, name }: { variables: Record<string, unknown>; name: string | null },
): JsonObject {
  const named = typeof variables.name === 'string' ? variables.name : null;
  return { ...persona.metadata, ...variables, name: name ?? named };
}

/** Replaces the agent's voice with the one that a dispatch requests. `voice` is the provider's id of the voice. */
export function spokenWith(config: AgentConfig, voice: string | null): AgentConfig {
  if (voice === null || !isJsonObject(config)) return config;
  const spoken: AgentConfig = {
    persona: { senses_capabilities: { mouth: { tts: { primary: { voice_id: voice } } } } },
  };
  const result = deepMerge(config, spoken);
  return 'merged' in result ? result.merged : config;
}

type MergeResult = { merged: JsonObject } | { fault: string };

/**
 * Merges objects key by key. Arrays, scalars and `null` replace the stored value. Returns a fault if either input has a forbidden key or is
 * nested more than 32 levels deep.
 */
export function deepMerge(stored: JsonObject, change: JsonObject): MergeResult {
  const fault = mergeFaultOf(stored) ?? mergeFaultOf(change);
  return fault === null ? { merged: mergeObjects(stored, change) } : { fault };
}

/** Doesn't check for text that Postgres cannot store, because it can still be merged. */
function mergeFaultOf(value: JsonObject): string | null {
  const fault = jsonFaults(value).find(({ kind }) => kind !== 'unstorable_text');
  if (fault === undefined) return null;
  if (fault.kind === 'forbidden_key') return `the key ${fault.path.join('.')} is not allowed`;
  return describeJsonFault(fault);
}

/** Recursion is safe, because both inputs are at most `MAX_JSON_DEPTH` levels deep. */
function mergeObjects(stored: JsonObject, change: JsonObject): JsonObject {
  const merged: JsonObject = { ...stored };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeObjects(before, value) : value;
  }
  return merged;
}
