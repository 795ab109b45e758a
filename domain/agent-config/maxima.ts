import type { JsonLimits } from '../json-faults';

/** Limits of a configuration, unless a field sets its own. Each is far above normal use. */
export const MAXIMA = {
  /** Bytes of a whole configuration as JSON. Without it, many small updates could add up to any size. */
  bytes: 1024 * 1024,
  /** Fields of objects and entries of lists, at any depth, in one request and in a whole configuration. */
  values: 20_000,
  /** Characters of a text for the caller or the model. */
  text: 20_000,
  /** Characters of the main prompt. */
  prompt: 200_000,
  /** Characters of a name, such as a provider's. */
  name: 255,
  /** Fields of objects and entries of lists that no schema names. */
  entries: 6_000,
  /** Characters of a key. */
  key: 1_000,
  /** Tokens and headers to encrypt, at about 30 µs each. */
  secrets: 500,
  /** Bytes of the deployment section as JSON. Lists of agents include it for each agent. */
  deploymentBytes: 64 * 1024,
} as const;

/** Limits of keys that no schema names. They are stored and merged unchanged. */
export const UNNAMED: JsonLimits = {
  text: MAXIMA.bytes,
  key: MAXIMA.key,
  entries: MAXIMA.entries,
  keys: MAXIMA.entries,
};

/** How much of the stored data a conversation uses, because a model with more would answer late. The rest is left out, and its path is logged. */
export const USES = {
  /** Maps and lists in the system instructions. */
  instructions: { entries: 50, characters: 2_000 },
  questions: { entries: 2_000, characters: 4_000 },
  /** Documents, which are split into passages. */
  knowledge: { entries: 500, characters: 500_000 },
  actions: { entries: 50 },
  rules: { entries: 200 },
  triggers: { entries: 500, characters: 500 },
} as const satisfies Record<string, Uses>;

export interface Uses {
  entries: number;
  /** Characters of a single text. A longer text is left out, because a truncated answer could mean the opposite. */
  characters?: number;
}
