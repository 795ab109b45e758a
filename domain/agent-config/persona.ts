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
    "Main prompt, at the beginning of the model's instructions; may hold {{variables}}. An agent without one is `initialized`, not `running`",
    { max: MAXIMA.prompt, effects: ALL_OF_A_CALL },
  ),
  personality: map('Maps a trait to its value, for the model', { max: 200, uses: USES.instructions }),
  greeting_message: group('How the conversation opens', {
    agent_message: text(
      'Opening text; may hold {{variables}}. If empty, the model begins. A custom-LLM server may greet instead. Without a voice, the agent plays a chime and shows the text',
      { effects: ALL_OF_A_CALL },
    ),
    agent_speech_delay: whole('Wait before the greeting, if the agent speaks first', {
      unit: 's',
      min: 0,
      max: 60,
      default: 0,
    }),
    user_speech_delay: whole("Silence after the user's first words before the greeting", {
      unit: 's',
      min: 0,
      max: 60,
      // People take about this long to notice that the other person has finished speaking.
      default: 0.5,
    }),
    interruptible: flag(
      'Whether half a second of speech interrupts the opening. If false, speech during the opening is ignored',
      { default: true },
    ),
    let_user_speak_first: flag(
      "Whether the agent greets only after the user's first words. A session with a `welcome_message` is greeted immediately",
      { default: false },
    ),
  }),
});

const sttModel = (description: string, options: { like?: string } = {}) =>
  group(
    description,
    {
      provider: name('Speech-to-text provider'),
      model: name("Model; the provider's usual one unless set"),
      language: name("Language code for recognition; the agent's language unless set"),
      keywords: list(
        'Words whose recognition is boosted, with Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`) and OpenAI-compatible servers (`prompt`), not with Cartesia and Sarvam',
        { max: 1_000, entry: unchecked(name('A word')) },
      ),
    },
    options,
  );

const llmModel = {
  provider: name('Language model provider'),
  model: name("Model; the provider's usual one unless set"),
  parameters: group('Sampling, sent with each request; the server decides unless set', {
    temperature: share('Sampling temperature', { default: null }),
    top_p: share('Nucleus sampling', { default: null }),
    max_tokens: whole('Longest answer (`max_completion_tokens`)', {
      unit: 'tokens',
      min: 50,
      max: 10_000,
      default: null,
    }),
  }),
};

const url = text('For the provider `custom`: address of the server; the call id is appended', {
  form: 'socket_url',
  max: 2_048,
});
const authToken = text('For the provider `custom`: bearer token, shown masked; sending the mask keeps it', {
  form: 'token',
  max: 4_096,
});

const ttsModel = (description: string, options: { like?: string } = {}) =>
  group(
    description,
    {
      provider: name('Text-to-speech provider'),
      model: name("Model; the provider's usual one unless set"),
      voice_id: name(
        'Voice; the `voice` of a telephony dispatch overrides it. With Deepgram, set `model` instead',
      ),
      voice_name: name('Name of the voice, if there is no `voice_id`'),
      config: map(
        '`speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any)',
        { max: 200 },
      ),
    },
    options,
  );

const senses = group('Hearing, thinking and speaking', {
  language: name('Language code, such as `en` or `hi`, for recognition, voice and model'),
  auto_detect: flag("Whether the user's language is detected, so that the model follows it", {
    default: false,
  }),
  ears: group('Hearing', {
    stt: group('Speech to text', {
      primary: sttModel('First choice'),
      fallback: sttModel(
        'Takes over if the first choice fails: with the same utterance, or for a stream at the point of failure',
        { like: 'primary' },
      ),
    }),
  }),
  brain: group('Thinking', {
    llm: group('Language model', {
      primary: group('First choice', { ...llmModel, url, auth_token: authToken }),
      fallback: group(
        'Answers if the first choice fails, produces no word within five seconds, or ends without a word. Meanwhile the agent retries the first choice',
        { ...llmModel, url: unchecked(url), auth_token: unchecked(authToken) },
        { like: 'primary' },
      ),
    }),
    auto_detect_llm: flag(
      'Stored without effect, because nothing defines which model serves which language',
      {
        default: false,
        effects: STORED,
      },
    ),
  }),
  mouth: group('Speaking', {
    tts: group('Text to speech', {
      primary: ttsModel('First choice'),
      fallback: ttsModel('Speaks if the first choice fails', { like: 'primary' }),
      word_pronunciation_pairs: textMap(
        'Maps a word to its pronunciation, for whole words in any case. Captions and transcript keep the word',
        { max: 2_000 },
      ),
    }),
  }),
});

/** Not part of the interface. `docs/decisions.md` specifies these settings. */
const action = {
  enabled: flag('Whether the action exists', { default: true }),
  type: text('`http_request`, `transfer`, `end_call` or `request_callback`'),
  description: text('When the model should use the action; its name unless set'),
  to: text('For `transfer`: E.164, `sip:` or `tel:`'),
  url: text('Address; like all fields below, only for `http_request`. May hold {{variables}} after the host'),
  method: text('`GET`, `POST`, `PUT`, `PATCH` or `DELETE`', { default: 'GET' }),
  headers: any('Maps a name to a text; may hold {{variables}}'),
  body: any("JSON or text, may hold {{variables}}; the model's arguments unless set"),
  parameters: any(
    'Arguments that the model provides: a JSON schema of an object, or a map of name to meaning',
  ),
  timeout_ms: number('Longest wait for the answer', {
    unit: 'ms',
    min: 500,
    max: 20_000,
    default: 8_000,
  }),
  waiting_message: text('Said if the answer takes longer than 1.5 s'),
};

export const persona = section('Persona', 'Who the agent is and how it hears, thinks and speaks', {
  identity,
  senses_capabilities: senses,
  actions: shapeMap('Custom actions. Secret headers are shown masked; sending the mask keeps the secret', {
    max: 200,
    uses: USES.actions,
    rows: action,
  }),
  memories: map('Maps a name to a text, for the model', { max: 1_000, uses: USES.instructions }),
  metadata: map('Variables for prompts and flows; variables of the contact or the dispatch override them', {
    max: 1_000,
    effects: [...ALL_OF_A_CALL, 'analysis'],
  }),
});
