/** Which models an agent asks for, in the order in which they are tried. */
import type { AgentConfig } from '../../workflows/domain/agent-config';
import { valueAt, type JsonObject } from '../../workflows/domain/json';
import { objectIn, textIn } from '../voice/fields';
import type { ModelName } from './model-name';

export type Part = 'stt' | 'llm' | 'tts';

export interface WantedModel {
  provider: string;
  /** Null for the provider's usual one. */
  model: string | null;
  /** As stored: keywords, parameters, voice and what else the part knows. */
  fields: JsonObject;
}

const PATHS: Readonly<Record<Part, readonly string[]>> = {
  stt: ['ears', 'stt'],
  llm: ['brain', 'llm'],
  tts: ['mouth', 'tts'],
};

/** The agent's own first, then its fallback, then the platform's default, which takes the agent's other wishes along. */
export function wantedModels(config: AgentConfig, part: Part, unless: ModelName | null): WantedModel[] {
  const stored = valueAt(config, 'persona', 'senses_capabilities', ...PATHS[part]);
  const own = [valueAt(stored, 'primary'), valueAt(stored, 'fallback')].map(objectIn);
  const named = own.flatMap((fields) => {
    const provider = textIn(fields.provider).toLowerCase();
    const model = textIn(fields.model);
    return provider === '' ? [] : [{ provider, model: model === '' ? null : model, fields }];
  });
  if (unless === null || named.some((one) => isSame(one, unless))) return named;
  const [first = {}] = own;
  // Where the agent names no provider, its voice is one of the default's.
  return [...named, { ...unless, fields: textIn(first.provider) === '' ? first : portable(first) }];
}

const isSame = (one: WantedModel, other: ModelName): boolean =>
  one.provider === other.provider && (one.model ?? other.model) === other.model;

/** What another provider understands too: voices and settings of one are nothing to another. */
function portable({ keywords, parameters, language }: JsonObject): JsonObject {
  return {
    ...(keywords !== undefined && { keywords }),
    ...(parameters !== undefined && { parameters }),
    ...(language !== undefined && { language }),
  };
}
