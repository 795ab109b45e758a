import type { Scene } from '../../support/scene';

const senses = (more: object): object => ({ senses_capabilities: more });

/** Plays one question and one answer. */
const asking: Scene['play'] = async ({ untilSaid, speak }) => {
  await untilSaid(1);
  await speak(900);
  await untilSaid(3);
};

export const SENSES: readonly Scene[] = [
  {
    fields: ['senses_capabilities.language'],
    title: 'is sent to the recogniser as the expected language',
    persona: senses({ language: 'hi-IN' }),
    stt: [{ text: 'नमस्ते' }],
    play: async (stage) => {
      await asking(stage);
      expect(stage.requests('stt')[0].language).toBe('hi');
    },
  },
  {
    fields: ['senses_capabilities.auto_detect'],
    title: 'leaves the language to the recogniser',
    persona: senses({ language: 'hi', auto_detect: true }),
    stt: [{ text: 'Hello' }],
    play: async (stage) => {
      await asking(stage);
      expect(stage.requests('stt')[0].language ?? '').toBe('');
    },
  },
  {
    fields: [
      'senses_capabilities.ears.stt.primary.keywords',
      'senses_capabilities.ears.stt.primary.language',
    ],
    title: 'are sent to the recogniser',
    persona: senses({ ears: { stt: { primary: { keywords: ['Vaaani', 'EMI'], language: 'mr' } } } }),
    stt: [{ text: 'My EMI?' }],
    play: async (stage) => {
      await asking(stage);
      expect(stage.requests('stt')[0]).toMatchObject({ prompt: 'Vaaani, EMI', language: 'mr' });
    },
  },
  {
    fields: [
      'senses_capabilities.ears.stt.primary.provider / model',
      'senses_capabilities.ears.stt.fallback',
    ],
    title: 'recognises when the primary recogniser fails',
    persona: (name) => senses({ ears: { stt: { fallback: { provider: 'openai', model: name('stt-2') } } } }),
    stt: [{ status: 500 }],
    others: { 'stt-2': [{ text: 'Can you hear me?' }] },
    play: async (stage) => {
      await asking(stage);
      expect(stage.said()[1]).toMatchObject({ speaker: 'user', text: 'Can you hear me?' });
    },
  },
  {
    fields: [
      'senses_capabilities.brain.llm.primary.provider / model',
      'senses_capabilities.brain.llm.primary.parameters.temperature',
      'senses_capabilities.brain.llm.primary.parameters.top_p',
      'senses_capabilities.brain.llm.primary.parameters.max_tokens',
    ],
    title: 'are sent to the model',
    persona: senses({
      brain: { llm: { primary: { parameters: { temperature: 0.2, top_p: 0.9, max_tokens: 120 } } } },
    }),
    stt: [{ text: 'Hello' }],
    play: async (stage) => {
      await asking(stage);
      expect(stage.requests('llm')[0]).toMatchObject({
        temperature: 0.2,
        top_p: 0.9,
        max_completion_tokens: 120,
      });
    },
  },
  {
    fields: ['senses_capabilities.brain.llm.fallback'],
    title: 'answers when the primary model fails',
    persona: (name) => senses({ brain: { llm: { fallback: { provider: 'openai', model: name('llm-2') } } } }),
    stt: [{ text: 'Hello' }],
    llm: [{ status: 500 }],
    others: { 'llm-2': [{ text: 'I stand in.' }] },
    play: async (stage) => {
      await asking(stage);
      expect(stage.said()[2]).toMatchObject({ speaker: 'agent', text: 'I stand in.' });
    },
  },
  {
    fields: [
      'senses_capabilities.mouth.tts.primary.provider / model / voice_id / voice_name',
      'senses_capabilities.mouth.tts.primary.config',
    ],
    title: "select the voice: the id before the name, with the provider's settings",
    persona: senses({
      mouth: {
        tts: {
          primary: {
            voice_id: 'sage',
            voice_name: 'Sarah',
            config: { speed: 1.2, instructions: 'Speak softly.' },
          },
        },
      },
    }),
    play: async ({ untilSaid, requests }) => {
      await untilSaid(1);
      expect(requests('tts')[0]).toMatchObject({ voice: 'sage', speed: 1.2, instructions: 'Speak softly.' });
    },
  },
  {
    fields: ['senses_capabilities.mouth.tts.fallback'],
    title: 'speaks when the primary voice fails',
    persona: (name) =>
      senses({
        mouth: { tts: { fallback: { provider: 'openai', model: name('tts-2'), voice_id: 'onyx' } } },
      }),
    tts: [{ status: 500 }],
    play: async ({ untilSaid, requests, soundAtMs, said }) => {
      await untilSaid(1);
      expect(said()[0]).toMatchObject({ text: 'Hi Asha.' });
      expect(requests('tts-2')[0]).toMatchObject({ input: 'Hi Asha.', voice: 'onyx' });
      expect(soundAtMs()).not.toBeNull();
    },
  },
  {
    fields: ['senses_capabilities.mouth.tts.word_pronunciation_pairs'],
    title: 'change how words are spoken, not the transcript',
    persona: {
      identity: { greeting_message: { agent_message: 'Your EMI of premium is due.' } },
      ...senses({ mouth: { tts: { word_pronunciation_pairs: { emi: 'E M I' } } } }),
    },
    play: async ({ untilSaid, requests, said }) => {
      await untilSaid(1);
      expect(requests('tts')[0].input).toBe('Your E M I of premium is due.');
      expect(said()[0]!.text).toBe('Your EMI of premium is due.');
    },
  },
  {
    fields: ['senses_capabilities.ears.stt.primary.provider / model'],
    title: 'is published to the room when it is unavailable, and the rest is used',
    persona: senses({
      ears: { stt: { primary: { provider: 'deepgram', model: 'nova-3' } } },
      mouth: { tts: { primary: { provider: 'nobody' } } },
    }),
    medium: 'webrtc',
    llm: [{ text: 'By text, then.' }],
    play: async ({ untilSaid, attributes, type, said }) => {
      await untilSaid(1);
      expect(JSON.parse(attributes()['platform.speech']!)).toEqual({
        hears: false,
        speaks: false,
        thinks: true,
        missing: [
          { part: 'stt', why: 'DEEPGRAM_API_KEY is not set' },
          { part: 'tts', why: 'no such provider: nobody' },
        ],
        models: { llm: expect.any(String) },
      });
      type('Hello?');
      await untilSaid(3);
      expect(said().map(({ text }) => text)).toEqual(['Hi Asha.', 'Hello?', 'By text, then.']);
    },
  },
];
