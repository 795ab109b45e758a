import type { JsonLimits } from '../json-faults';

/** The most that a configuration may hold where its fields say nothing else. Each lies far above what an honest client sends. */
export const MAXIMA = {
  /** Bytes of a whole configuration as JSON. A body is bounded, but merges into one section after another are not. */
  bytes: 1024 * 1024,
  /** Fields of objects and entries of lists of one body, and of a whole configuration, at any depth. */
  values: 20_000,
  /** Characters of a text that the agent says or that is said to a model. */
  text: 20_000,
  /** Characters of the main prompt: 100 KB of any script and more. */
  prompt: 200_000,
  /** Characters of a name, such as that of a provider. */
  name: 255,
  /** Fields of objects and entries of lists that no schema names. */
  entries: 6_000,
  /** Characters of a key. */
  key: 1_000,
  /** Tokens and headers that are encrypted: each takes some 30 µs. */
  secrets: 500,
  /** Bytes of the deployment section as JSON: lists of agents hold it of each agent. */
  deploymentBytes: 64 * 1024,
} as const;

/** Of what no schema names: it is stored and merged untouched. */
export const UNNAMED: JsonLimits = {
  text: MAXIMA.bytes,
  key: MAXIMA.key,
  entries: MAXIMA.entries,
  keys: MAXIMA.entries,
};

/** How much of what is stored a conversation uses: a model reads no more, or it would answer late. The rest is left out, and logged by its place. */
export const USES = {
  /** Of maps and lists that stand in the system instructions. */
  instructions: { entries: 50, characters: 2_000 },
  questions: { entries: 2_000, characters: 4_000 },
  /** Documents, which are cut into passages. */
  knowledge: { entries: 500, characters: 500_000 },
  actions: { entries: 50 },
  rules: { entries: 200 },
  triggers: { entries: 500, characters: 500 },
} as const satisfies Record<string, Uses>;

export interface Uses {
  entries: number;
  /** Of a single text. A longer one is left out, not cut: half an answer may say the opposite. */
  characters?: number;
}
