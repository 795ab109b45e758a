import { lackingModels } from '../../../agent/providers/speech-settings';
import { readModelSettings } from '../../../agent/settings';

const lacking = (env: Record<string, string>): string | null => lackingModels(readModelSettings(env).speech);

describe('lackingModels()', () => {
  test('names the variables to set when no provider is configured', () => {
    expect(lacking({})).toContain('set AGENT_STT, AGENT_LLM and AGENT_TTS');
    expect(lacking({ OPENAI_API_KEY: '', AGENT_STT: 'local' })).toContain('OPENAI_API_KEY');
  });

  test.each([
    ['AGENT_STT', 'deepgram/nova-3', 'AGENT_STT names deepgram: set DEEPGRAM_API_KEY'],
    ['AGENT_LLM', 'openai/gpt-4.1-mini', 'AGENT_LLM names openai: set OPENAI_API_KEY'],
    ['AGENT_TTS', 'my-server/voice', 'AGENT_TTS names my-server: set OPENAI_COMPATIBLE_MY_SERVER_URL'],
  ])(
    'names the variable to set when the provider of the default %s is not configured',
    (variable, model, fault) => {
      expect(lacking({ AGENT_STT: 'local', AGENT_TTS: 'local', [variable]: model })).toBe(fault);
    },
  );

  test.each([
    ['local speech, and a language model from each organization', { AGENT_STT: 'local', AGENT_TTS: 'local' }],
    ['a key, and providers that each agent names', { OPENAI_API_KEY: 'sk-1' }],
    ['an address of a compatible server', { OPENAI_BASE_URL: 'http://models:8000/v1' }],
  ])('accepts an environment with %s', (_what, env) => {
    expect(lacking(env)).toBeNull();
  });
});
