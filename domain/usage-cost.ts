/** Computes the cost of the models that a call uses, at rates that the operator sets. */
import { isJsonObject } from './json';

/** Prices in the operator's currency. A missing price means free. */
export interface Rate {
  input_per_million: number;
  /** Price of cached input. Default: `input_per_million`. */
  cached_input_per_million: number;
  output_per_million: number;
  characters_per_million: number;
  audio_per_minute: number;
  per_request: number;
}

/** Rates by `<provider>/<model>`, or by `<provider>/*` for all other models of a provider. */
export type Rates = Readonly<Record<string, Partial<Rate>>>;

export const MODEL_KINDS = ['stt', 'llm', 'tts'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_PURPOSES = ['conversation', 'analysis'] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

export interface ModelUsage {
  kind: ModelKind;
  provider: string;
  model: string;
  inputTokens: number;
  /** The cached part of `inputTokens`. */
  cachedTokens: number;
  outputTokens: number;
  characters: number;
  audioMs: number;
  requests: number;
}

const MILLION = 1_000_000;
const MINUTE_MS = 60_000;
/** Costs are rounded to a millionth of the currency unit. */
const DECIMALS = 6;

/** Returns null if the model has no rate, because an unknown price doesn't mean free. */
export function costOf(usage: ModelUsage, rates: Rates): number | null {
  const rate = rateOf(usage, rates);
  if (rate === undefined) return null;
  const {
    input_per_million: input = 0,
    cached_input_per_million: cached = input,
    output_per_million: output = 0,
    characters_per_million: characters = 0,
    audio_per_minute: audio = 0,
    per_request: request = 0,
  } = rate;
  const cachedTokens = Math.min(usage.cachedTokens, usage.inputTokens);
  const cost =
    ((usage.inputTokens - cachedTokens) * input +
      cachedTokens * cached +
      usage.outputTokens * output +
      usage.characters * characters) /
      MILLION +
    (usage.audioMs / MINUTE_MS) * audio +
    usage.requests * request;
  return rounded(cost);
}

/** Returns null if one of the costs is unknown, because a partial sum would be misleading. */
export function totalCost(costs: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const cost of costs) {
    if (cost === null) return null;
    sum += cost;
  }
  return costs.length === 0 ? null : rounded(sum);
}

function rateOf({ provider, model }: ModelUsage, rates: Rates): Partial<Rate> | undefined {
  for (const key of [`${provider}/${model}`, `${provider}/*`]) {
    if (Object.hasOwn(rates, key)) return rates[key];
  }
  return undefined;
}

const rounded = (cost: number): number => Number(cost.toFixed(DECIMALS));

const FIELDS: ReadonlySet<string> = new Set<keyof Rate>([
  'input_per_million',
  'cached_input_per_million',
  'output_per_million',
  'characters_per_million',
  'audio_per_minute',
  'per_request',
]);

/** Reads `{"<provider>/<model>": {"input_per_million": 0.15, …}, …}`. Returns a fault for invalid input. */
export function readRates(text: string): { rates: Rates } | { fault: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return { fault: 'must be JSON' };
  }
  if (!isJsonObject(read)) return { fault: 'must be a JSON object of rates by provider/model' };
  const rates: Record<string, Partial<Rate>> = {};
  for (const [key, rate] of Object.entries(read)) {
    if (!/^[^/\s]+\/.+$/.test(key)) return { fault: 'must name each model as provider/model' };
    if (!isJsonObject(rate) || !Object.entries(rate).every(isRateField)) {
      return {
        fault: `has an invalid rate for ${key}: use ${[...FIELDS].join(', ')}, each a number of at least 0`,
      };
    }
    rates[key] = rate;
  }
  return { rates };
}

const isRateField = ([field, value]: [string, unknown]): boolean =>
  FIELDS.has(field) && typeof value === 'number' && Number.isFinite(value) && value >= 0;
