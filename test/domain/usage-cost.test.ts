import { costOf, readRates, totalCost, type ModelUsage } from '../../domain/usage-cost';

const used = (more: Partial<ModelUsage> = {}): ModelUsage => ({
  kind: 'llm',
  provider: 'openai',
  model: 'gpt-4o-mini',
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters: 0,
  audioMs: 0,
  requests: 0,
  ...more,
});

const RATES = {
  'openai/gpt-4o-mini': { input_per_million: 0.2, cached_input_per_million: 0.1, output_per_million: 0.6 },
  'openai/plain': { input_per_million: 1 },
  'deepgram/*': { audio_per_minute: 0.006 },
  'elevenlabs/*': { characters_per_million: 100, per_request: 0.01 },
};

test.each<[string, Partial<ModelUsage>, number | null]>([
  [
    'input, cached input at a lower rate, and output',
    { inputTokens: 1_000_000, cachedTokens: 500_000, outputTokens: 100_000 },
    0.21,
  ],
  [
    'cached input without its own rate like other input',
    { model: 'plain', inputTokens: 100, cachedTokens: 100 },
    0.0001,
  ],
  [
    'cached input only up to the total input',
    { model: 'gpt-4o-mini', inputTokens: 10, cachedTokens: 1_000_000 },
    0.000001,
  ],
  [
    'minutes of audio, of any model of a provider',
    { kind: 'stt', provider: 'deepgram', model: 'nova', audioMs: 90_000 },
    0.009,
  ],
  [
    'characters and requests',
    { kind: 'tts', provider: 'elevenlabs', model: 'turbo', characters: 5_000, requests: 2 },
    0.52,
  ],
  ['nothing for nothing', {}, 0],
  ['unknown without a rate', { model: 'gpt-5' }, null],
  ['unknown for a model named like an inherited property', { provider: 'constructor', model: 'name' }, null],
])('computes the cost: %s', (_what, more, cost) => {
  expect(costOf(used(more), RATES)).toBe(cost);
});

test.each<[(number | null)[], number | null]>([
  [[0.1, 0.2], 0.3],
  [[0.1, null], null],
  [[], null],
])('sums %j to %s', (costs, total) => {
  expect(totalCost(costs)).toBe(total);
});

test('reads rates in their documented form', () => {
  expect(readRates(JSON.stringify(RATES))).toEqual({ rates: RATES });
});
