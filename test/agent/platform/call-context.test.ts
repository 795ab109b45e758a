import { greetingFor, readCallContext, withDisclosure } from '../../../agent/platform/call-context';
import { resolveConfig } from '../../../domain/agent-config';
import { callContextOf } from '../support/fake-platform';

const SESSION = {
  voice_gender: 'male',
  primary_language: 'ta',
  secondary_language: 'en',
  welcome_message: 'Vanakkam {{name}}',
  welcome_interruptible: false,
  bg_noise_enabled: true,
  bg_noise_volume: 20,
  voice_speed: 1.2,
};

test('reads every field of a browser session', () => {
  expect(readCallContext(callContextOf('room_1', { medium: 'webrtc', session: SESSION })).session).toEqual({
    voiceGender: 'male',
    primaryLanguage: 'ta',
    secondaryLanguage: 'en',
    welcomeMessage: 'Vanakkam {{name}}',
    isWelcomeInterruptible: false,
    isBackgroundNoiseOn: true,
    backgroundNoiseVolume: 20,
    voiceSpeed: 1.2,
  });
});

test("prefers the session's welcome message to the agent's greeting, and replaces unknown variables by empty text", () => {
  const greeting = (session: object | null) =>
    greetingFor(readCallContext(callContextOf('a', { session }))).text;
  expect(greeting(null)).toBe('Hello Asha, from Pune.');
  expect(greeting(SESSION)).toBe('Vanakkam Asha');
  expect(greeting({ ...SESSION, welcome_message: '' })).toBe('Hello Asha, from Pune.');
});

test('puts the disclosure of the rules before the greeting, and returns the greeting alone without one', () => {
  const opening = (changes: object, greeting: string) =>
    withDisclosure(readCallContext(callContextOf('a', changes)), greeting);
  expect(opening({ disclosure: 'An automated call for {{name}}.' }, 'Hello.')).toBe(
    'An automated call for Asha. Hello.',
  );
  expect(opening({ disclosure: 'An automated call.' }, '')).toBe('An automated call.');
  expect(opening({}, 'Hello.')).toBe('Hello.');
});

test('reads the fields for a custom LLM server, and returns null when they are absent', () => {
  const custom_llm = {
    x_agent_id: 'tenant-7',
    modify_agent: { persona: { metadata: { tier: 'gold' } } },
    contact_number: '+919876543210',
    metadata: { city: 'Pune' },
  };
  expect(readCallContext(callContextOf('a', { custom_llm })).customLlm).toEqual(custom_llm);
  expect(readCallContext(callContextOf('a')).customLlm).toBeNull();
  expect(readCallContext(callContextOf('a', { custom_llm: { modify_agent: 7 } })).customLlm).toEqual({
    x_agent_id: null,
    modify_agent: null,
    contact_number: null,
    metadata: {},
  });
});

test.each([null, 'text', {}, { call_id: 'a' }, { call_id: 'a', max_talk_s: '60', ring_timeout_s: 30 }])(
  'rejects %j as an invalid call context',
  (body) => expect(() => readCallContext(body)).toThrow('an invalid call context'),
);

test('resolves a configuration that an API of another release did not resolve', () => {
  const stored = { experience: { settings: { end_call: { enabled: true, hangup_timeout: 900 } } } };
  const { config } = readCallContext(callContextOf('a', { agent: { name: 'A', config: stored } })).agent;
  expect(config).toEqual(resolveConfig(stored));
  expect(config.experience.settings.end_call).toEqual({
    enabled: true,
    end_call_phrase: '',
    hangup_timeout: 60,
  });
});

test('returns no greeting for an agent without a configuration', () => {
  const callContext = readCallContext({ call_id: 'a', max_talk_s: 60, ring_timeout_s: 30 });
  expect(greetingFor(callContext)).toEqual({ text: '', letsUserSpeakFirst: false });
});
