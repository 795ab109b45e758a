import { flag, fraction, group, list, map, section, socketUrl, text, token, whole } from './fields';
import { MAXIMA } from './maxima';

const name = (description: string) => text(description, MAXIMA.name);

const identity = group('Who the agent is', {
  system_prompt: text('Main prompt; may hold {{variables}}', MAXIMA.prompt),
  personality: map('Trait to value', 200),
  greeting_message: group('How the conversation opens', {
    agent_message: text('Opening text; may hold {{variables}}'),
    agent_speech_delay: whole('Seconds before the agent opens', 0, 60),
    user_speech_delay: whole('Seconds of silence after the user stops', 0, 60),
    interruptible: flag('Whether the user may interrupt the opening'),
    let_user_speak_first: flag('When true the agent waits for the user'),
  }),
});

const sttModel = (description: string) =>
  group(description, {
    provider: name('Speech-to-text provider'),
    model: name('Model of that provider'),
    language: name('Language code'),
    keywords: list('Words whose recognition is boosted', 1_000),
  });

const llmFields = {
  provider: name('Language model provider'),
  model: name('Model of that provider'),
  parameters: group('Sampling', {
    temperature: fraction('0-1'),
    top_p: fraction('0-1'),
    max_tokens: whole('Longest answer in tokens, 50-10000', 50, 10_000),
  }),
};

/** With `provider: "custom"` a server of the client's own. */
const primaryLlm = group('First choice', {
  ...llmFields,
  url: socketUrl('With the provider custom: address of the server, to which the id of the call is added'),
  auth_token: token('With the provider custom: its bearer token. Shown masked; a mask sent back keeps it'),
});

const ttsModel = (description: string) =>
  group(description, {
    provider: name('Text-to-speech provider'),
    model: name('Model of that provider'),
    voice_id: name('Voice of that provider'),
    voice_name: name('Name of the voice, for people'),
    config: map('Provider-specific settings', 200),
  });

const senses = group('Hearing, thinking and speaking', {
  language: name('Language code, such as en or hi'),
  auto_detect: flag('Detect the language of the user'),
  ears: group('Hearing', {
    stt: group('Speech to text', { primary: sttModel('First choice'), fallback: sttModel('When it fails') }),
  }),
  brain: group('Thinking', {
    llm: group('Language model', { primary: primaryLlm, fallback: group('When it fails', llmFields) }),
    auto_detect_llm: flag('Choose the model for the detected language'),
  }),
  mouth: group('Speaking', {
    tts: group('Text to speech', {
      primary: ttsModel('First choice'),
      fallback: ttsModel('When it fails'),
      word_pronunciation_pairs: map('Word to preferred pronunciation', 2_000),
    }),
  }),
});

export const personaSchema = section('Persona', 'Who the agent is and how it hears, thinks and speaks', {
  identity,
  senses_capabilities: senses,
  actions: map(
    'Custom actions. Headers of requests that hold a secret are shown masked; a mask sent back keeps it',
    200,
  ),
  memories: map('Memory configuration', 1_000),
  metadata: map('Variables put into prompts and flows', 1_000),
});
