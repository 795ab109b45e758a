/** Lists the models that an agent requests, in the order in which they are tried. */
import { resolveConfig, type ResolvedSection } from '../../domain/agent-config';
import type { ModelKind } from '../../domain/usage-cost';
import type { ModelName } from './speech-settings';

type Senses = ResolvedSection<'persona'>['senses_capabilities'];

/** The configuration fields of a model, by kind. */
interface ModelFields {
  stt: Senses['ears']['stt']['primary'];
  llm: Senses['brain']['llm']['primary'];
  tts: Senses['mouth']['tts']['primary'];
}

export interface RequestedModel<P extends ModelKind = ModelKind> {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
  fields: ModelFields[P];
}

interface Choices<P extends ModelKind> {
  primary: ModelFields[P];
  fallback: ModelFields[P];
}

/** Returns the fields that also make sense for another provider. Voices and provider settings don't. */
type Portable<P extends ModelKind> = (fields: ModelFields[P]) => ModelFields[P];

const { ears, brain, mouth } = resolveConfig({}).persona.senses_capabilities;

const PORTABLE: { readonly [P in ModelKind]: Portable<P> } = {
  stt: ({ keywords, language }) => ({ ...ears.stt.primary, keywords, language }),
  llm: ({ parameters }) => ({ ...brain.llm.primary, parameters }),
  tts: () => mouth.tts.primary,
};

const CHOICES: { readonly [P in ModelKind]: (senses: Senses) => Choices<P> } = {
  stt: (senses) => senses.ears.stt,
  llm: (senses) => senses.brain.llm,
  tts: (senses) => senses.mouth.tts,
};

/** Returns the agent's primary model, its fallback, and the platform's default model with the agent's portable fields. */
export function requestedModels<P extends ModelKind>(
  senses: Senses,
  part: P,
  fallbackDefault: ModelName | null,
): RequestedModel<P>[] {
  const { primary, fallback } = CHOICES[part](senses);
  const named = [primary, fallback].flatMap((fields) => {
    const provider = fields.provider.toLowerCase();
    const model = fields.model === '' ? null : fields.model;
    return provider === '' ? [] : [{ provider, model, fields }];
  });
  if (fallbackDefault === null || named.some((one) => isSame(one, fallbackDefault))) return named;
  // If the agent names no provider, its voice is meant for the default provider.
  return [
    ...named,
    { ...fallbackDefault, fields: primary.provider === '' ? primary : PORTABLE[part](primary) },
  ];
}

const isSame = (one: Omit<RequestedModel, 'fields'>, other: ModelName): boolean =>
  one.provider === other.provider && (one.model ?? other.model) === other.model;
