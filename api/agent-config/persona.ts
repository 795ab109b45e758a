import { flag, fraction, group, list, map, section, socketUrl, text, token, whole } from './fields';

const identity = group('Who the agent is', {
  system_prompt: text('Main prompt; may hold {{variables}}'),
  personality: map('Trait to value'),
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
    provider: text('Speech-to-text provider'),
    model: text('Model of that provider'),
    language: text('Language code'),
    keywords: list('Words whose recognition is boosted'),
  });

const llmFields = {
  provider: text('Language model provider'),
  model: text('Model of that provider'),
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
    provider: text('Text-to-speech provider'),
    model: text('Model of that provider'),
    voice_id: text('Voice of that provider'),
    voice_name: text('Name of the voice, for people'),
    config: map('Provider-specific settings'),
  });

const senses = group('Hearing, thinking and speaking', {
  language: text('Language code, such as en or hi'),
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
      word_pronunciation_pairs: map('Word to preferred pronunciation'),
    }),
  }),
});

export const personaSchema = section('Persona', 'Who the agent is and how it hears, thinks and speaks', {
  identity,
  senses_capabilities: senses,
  actions: map(
    'Custom actions. Headers of requests that hold a secret are shown masked; a mask sent back keeps it',
  ),
  memories: map('Memory configuration'),
  metadata: map('Variables put into prompts and flows'),
});
