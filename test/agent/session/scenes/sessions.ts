import type { Scene } from '../../support/scene';

const session = (more: object): Pick<Scene, 'medium' | 'callContext'> => ({
  medium: 'webrtc',
  callContext: { direction: 'Incoming', session: more },
});

export const SESSIONS: readonly Scene[] = [
  {
    ...session({ welcome_message: 'Welcome, {{name}}!', voice_gender: 'male', voice_speed: 0.8 }),
    fields: ['welcome_message', 'voice_gender', 'voice_speed'],
    title: "override the agent's greeting and voice",
    play: async ({ untilSaid, requests, said }) => {
      await untilSaid(1);
      expect(said()[0]!.text).toBe('Welcome, Asha!');
      expect(requests('tts')[0]).toMatchObject({ voice: 'onyx', speed: 0.8 });
    },
  },
  {
    ...session({
      welcome_message: 'A welcome that is long enough to be interrupted by somebody who is in a hurry.',
      welcome_interruptible: false,
    }),
    fields: ['welcome_interruptible'],
    title: 'plays the welcome message to its end when switched off',
    play: async ({ until, untilSaid, said, speak, soundAtMs }) => {
      await until(() => soundAtMs() !== null);
      await speak(1_200);
      await untilSaid(1);
      expect(said()[0]!.interrupted).toBeUndefined();
    },
  },
  {
    ...session({ primary_language: 'ta', secondary_language: 'en' }),
    fields: ['primary_language', 'secondary_language'],
    title: 'override the language of the agent',
    stt: [{ text: 'வணக்கம்' }],
    play: async ({ untilSaid, speak, requests }) => {
      await untilSaid(1);
      await speak(900);
      await untilSaid(3);
      expect(requests('stt')[0].language).toBe('ta');
    },
  },
  {
    ...session({ bg_noise_enabled: true, bg_noise_volume: 100 }),
    fields: ['bg_noise_enabled', 'bg_noise_volume'],
    title: "add background noise to the agent's audio",
    play: async ({ untilSaid, until, heard }) => {
      await untilSaid(1);
      const before = heard().length;
      await until(() => heard().length > before + 30);
      expect(
        heard()
          .slice(-20)
          .some((frame) => frame.some((sample) => Math.abs(sample) > 100)),
      ).toBe(true);
    },
  },
  {
    ...session({}),
    fields: [],
    title: 'works by text for an agent without STT and TTS',
    without: ['stt', 'tts'],
    llm: [{ text: 'I read you.' }],
    play: async ({ untilSaid, until, type, said, captions, requests }) => {
      await untilSaid(1);
      type('Do you read me?');
      await untilSaid(3);
      expect(said().map(({ speaker, text }) => [speaker, text])).toEqual([
        ['agent', 'Hi Asha.'],
        ['user', 'Do you read me?'],
        ['agent', 'I read you.'],
      ]);
      // Captions arrive over the room, independently of the agent's events.
      await until(() => captions().length === 2);
      expect(captions()).toEqual(['Hi Asha.', 'I read you.']);
      // The history contains the agent's own words.
      expect(requests('llm')[0].messages.map(({ role }: { role: string }) => role)).toEqual([
        'system',
        'assistant',
        'user',
      ]);
    },
  },
  {
    ...session({}),
    fields: [],
    title: 'answers text by voice when the agent has TTS',
    without: ['stt'],
    llm: [{ text: 'I say so aloud.' }],
    play: async ({ untilSaid, type, requests }) => {
      await untilSaid(1);
      type('Say it.');
      await untilSaid(3);
      expect(requests('tts').map(({ input }) => input)).toEqual(['Hi Asha.', 'I say so aloud.']);
    },
  },
];
