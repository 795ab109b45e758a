import type { JsonLimits } from '../json-faults';

/** Default limits for a configuration, unless a field sets its own. Each is far above normal use. */
export const MAXIMA = {
  /** Bytes of a whole configuration as JSON. Without this limit, many small updates could grow it indefinitely. */
  bytes: 1024 * 1024,
  /** Number of object fields and list entries at any depth. Applies to one request and to a whole configuration. */
  values: 20_000,
  /** Characters of a string for the caller or the model. */
  text: 20_000,
  /** Characters of the main prompt. */
  prompt: 200_000,
  /** Characters of a name, such as a provider's. */
  name: 255,
  /** Number of object fields and list entries that no schema names. */
  entries: 6_000,
  /** Characters of a key. */
  key: 1_000,
  /** Number of tokens and headers to encrypt, at about 30 µs each. */
  secrets: 500,
  /** Bytes of the deployment section as JSON. Every entry in a list of agents includes it. */
  deploymentBytes: 64 * 1024,
} as const;

/** Limits for keys that no schema names. Their values are stored and merged unchanged. */
export const UNNAMED: JsonLimits = {
  text: MAXIMA.bytes,
  key: MAXIMA.key,
  entries: MAXIMA.entries,
  keys: MAXIMA.entries,
};

/**
 * How much of the stored data a conversation uses. More data would slow the model's answers. The rest is left out, and its path is logged.
 */
export const USES = {
  /** For maps and lists in the system instructions. */
  instructions: { entries: 50, characters: 2_000 },
  questions: { entries: 2_000, characters: 4_000 },
  /** For documents, which are split into passages. */
  knowledge: { entries: 500, characters: 500_000 },
  actions: { entries: 50 },
  rules: { entries: 200 },
  triggers: { entries: 500, characters: 500 },
} as const satisfies Record<string, Uses>;

export interface Uses {
  entries: number;
  /** Characters of a single string. A longer string is left out entirely, because a truncated answer could mean the opposite. */
  characters?: number;
}
