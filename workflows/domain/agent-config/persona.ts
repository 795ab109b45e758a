import {
  any,
  CONVERSATION,
  DIALLING,
  flag,
  group,
  list,
  map,
  name,
  number,
  section,
  shapeMap,
  share,
  STORED,
  text,
  textMap,
  unchecked,
  whole,
} from './kinds';
import { MAXIMA, USES } from './maxima';

const ALL_OF_A_CALL = [...CONVERSATION, ...DIALLING] as const;

const identity = group('Who the agent is', {
  system_prompt: text(
    'Main prompt; may hold {{variables}}. It stands first in the instructions of the model. An agent without one is `initialized`, not `running`',
    { most: MAXIMA.prompt, effects: ALL_OF_A_CALL },
  ),
  personality: map('Trait to value, given to the model', { most: 200, uses: USES.instructions }),
  greeting_message: group('How the conversation opens', {
    agent_message: text(
      'Opening text; may hold {{variables}}. A custom-LLM server may greet with words of its own. Empty: the model begins. An agent without a voice plays a chime and shows the words',
      { effects: ALL_OF_A_CALL },
    ),
    agent_speech_delay: whole('Wait between the answer and the greeting, where the agent speaks first', {
      unit: 's',
      least: 0,
      most: 60,
      default: 0,
    }),
    user_speech_delay: whole('Silence after the first words of the user before the greeting', {
      unit: 's',
      least: 0,
      most: 60,
      // As long as people take to find out that the other has ended.
      default: 0.5,
    }),
    interruptible: flag(
      'Whether the user may interrupt the opening, by speech of half a second. When false, what the user says meanwhile is not heard',
      { default: true },
    ),
    let_user_speak_first: flag(
      'When true the agent waits for the user, and greets after their first words, which it remembers. A session with a `welcome_message` is greeted at once',
      { default: false },
    ),
  }),
});

const sttModel = (does: string, options: { like?: string } = {}) =>
  group(
    does,
    {
      provider: name('Speech-to-text provider'),
      model: name("Model of that provider; the provider's usual one unless set"),
      language: name('Language code for recognition, in place of that of the agent'),
      keywords: list(
        'Words whose recognition is boosted: Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`), the interface of OpenAI (`prompt`). Cartesia and Sarvam take none',
        { most: 1_000, entry: unchecked(name('A word')) },
      ),
    },
    options,
  );

const llmModel = {
  provider: name('Language model provider'),
  model: name("Model of that provider; the provider's usual one unless set"),
  parameters: group('Sampling, sent with each request; the server decides unless set', {
    temperature: share('Sampling temperature', { default: null }),
    top_p: share('Nucleus sampling', { default: null }),
    max_tokens: whole('Longest answer, sent as `max_completion_tokens`', {
      unit: 'tokens',
      least: 50,
      most: 10_000,
      default: null,
    }),
  }),
};

/** With `provider: "custom"` a server of the client's own. */
const url = text('With the provider `custom`: address of the server, to which the id of the call is added', {
  form: 'socket_url',
  most: 2_048,
});
const authToken = text(
  'With the provider `custom`: its bearer token. Shown masked; a mask sent back keeps it',
  { form: 'token', most: 4_096 },
);

const ttsModel = (does: string, options: { like?: string } = {}) =>
  group(
    does,
    {
      provider: name('Text-to-speech provider'),
      model: name("Model of that provider; the provider's usual one unless set"),
      voice_id: name(
        "Voice of that provider; the `voice` of a telephony dispatch instead. Deepgram's voices are models",
      ),
      voice_name: name('Name of the voice, used where there is no `voice_id`'),
      config: map(
        'Provider-specific settings: `speed`; `instructions` (the interface of OpenAI); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any)',
        { most: 200 },
      ),
    },
    options,
  );

const senses = group('Hearing, thinking and speaking', {
  language: name('Language code, such as en or hi: what is recognised, spoken and asked of the model'),
  auto_detect: flag('Detect the language of the user; the model follows it', { default: false }),
  ears: group('Hearing', {
    stt: group('Speech to text', {
      primary: sttModel('First choice'),
      fallback: sttModel(
        'Recognises the same utterance where the first fails; of recognition over a stream, from the failure on',
        { like: 'primary' },
      ),
    }),
  }),
  brain: group('Thinking', {
    llm: group('Language model', {
      primary: group('First choice', { ...llmModel, url, auth_token: authToken }),
      fallback: group(
        'Answers where the first has no first word within five seconds or fails; the first is retried meanwhile',
        { ...llmModel, url: unchecked(url), auth_token: unchecked(authToken) },
        { like: 'primary' },
      ),
    }),
    auto_detect_llm: flag(
      'Stored only: nothing says which model is for which language. The named model answers in the language that it is spoken to',
      { default: false, effects: STORED },
    ),
  }),
  mouth: group('Speaking', {
    tts: group('Text to speech', {
      primary: ttsModel('First choice'),
      fallback: ttsModel('Speaks where the first fails', { like: 'primary' }),
      word_pronunciation_pairs: textMap(
        'Word to preferred pronunciation: whole words, in any case. Captions and transcript keep them as written',
        { most: 2_000 },
      ),
    }),
  }),
});

/** Shown nowhere by the interface: `docs/decisions.md` specifies it. */
const action = {
  enabled: flag('Whether there is the action', { default: true }),
  type: text('`http_request`, `transfer`, `end_call` or `request_callback`'),
  description: text('When the model is to use it; its name unless set'),
  to: text('Of `transfer`: E.164, `sip:` or `tel:`'),
  url: text('Of `http_request`, as all that follow: the address, with variables behind the host'),
  method: text('`GET`, `POST`, `PUT`, `PATCH` or `DELETE`', { default: 'GET' }),
  headers: any('Name to text; may hold {{variables}}'),
  body: any('JSON whose texts may hold {{variables}}, or a text; what the model gave unless set'),
  parameters: any('What the model gives: a JSON schema of an object, or a map of name to meaning'),
  timeout_ms: number('Longest wait for the answer', {
    unit: 'ms',
    least: 500,
    most: 20_000,
    default: 8_000,
  }),
  waiting_message: text('Said where the answer takes longer than a second and a half'),
};

export const persona = section('Persona', 'Who the agent is and how it hears, thinks and speaks', {
  identity,
  senses_capabilities: senses,
  actions: shapeMap(
    'Custom actions. Headers of requests that hold a secret are shown masked; a mask sent back keeps it',
    { most: 200, uses: USES.actions, rows: action },
  ),
  memories: map('Name to text, given to the model', { most: 1_000, uses: USES.instructions }),
  metadata: map('Variables put into prompts and flows, under those of the contact or the dispatch', {
    most: 1_000,
    effects: [...ALL_OF_A_CALL, 'analysis'],
  }),
});
