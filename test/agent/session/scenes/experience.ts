import type { Scene } from '../../support/scene';

const talkingStyle = (more: object): object => ({ conversational_experience: more });
const power = (frames: readonly Int16Array[]): number => {
  const samples = frames.flatMap((frame) => [...frame]);
  return Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / Math.max(1, samples.length));
};

export const EXPERIENCE: readonly Scene[] = [
  {
    fields: [
      'conversational_experience.bg_noise.enabled',
      'conversational_experience.bg_noise.volume',
      'conversational_experience.bg_noise.sound',
    ],
    title: 'is audible behind the agent, even while it is silent',
    experience: talkingStyle({ bg_noise: { enabled: true, volume: 0.8, sound: 'cafe' } }),
    play: async ({ untilSaid, until, heard }) => {
      await untilSaid(1);
      const before = heard().length;
      await until(() => heard().length > before + 30);
      const silent = power(heard().slice(-25));
      expect(silent).toBeGreaterThan(50);
      expect(silent).toBeLessThan(3_000);
    },
  },
  {
    fields: ['conversational_experience.bg_noise.enabled'],
    title: 'leaves silence behind the agent when switched off',
    experience: talkingStyle({ bg_noise: { enabled: false, volume: 0.8 } }),
    stt: [{ text: 'Hello' }],
    llm: [{ text: 'Yes?' }],
    play: async ({ untilSaid, heard, speak }) => {
      await untilSaid(1);
      const before = heard().length;
      await speak(900);
      // Check only the last frames, because over a network the end of the greeting may still be in transit.
      expect(power(heard().slice(before).slice(-10))).toBeLessThan(50);
    },
  },
  {
    fields: [
      'conversational_experience.filler_words.filler_words_frequency',
      'conversational_experience.filler_words.filler_words_list',
    ],
    title: 'are said before the answer, while the model still generates',
    experience: talkingStyle({
      filler_words: { filler_words_frequency: 1, filler_words_list: ['Hmm', 'Well'] },
    }),
    stt: [{ text: 'How much is it?' }, { text: 'And when?' }],
    llm: [{ text: 'It is five hundred.', delayMs: 300 }, { text: 'It is due tomorrow.' }],
    play: async ({ untilSaid, speak, requests, said }) => {
      await untilSaid(1);
      await speak(900);
      await untilSaid(3);
      await speak(900);
      await untilSaid(5);
      expect(requests('tts').map(({ input }) => input)).toEqual([
        'Hi Asha.',
        'Hmm,',
        'It is five hundred.',
        'Well,',
        'It is due tomorrow.',
      ]);
      expect(said()[2]!.text).toMatch(/^Hmm, *It is five hundred\.$/);
    },
  },
  {
    fields: ['conversational_experience.eagerness_to_speak'],
    title: 'lengthens the endpointing delay when slow',
    experience: talkingStyle({ eagerness_to_speak: 'slow' }),
    stt: [{ text: 'Hello.' }],
    play: async ({ untilSaid, speak, said }) => {
      await untilSaid(1);
      await speak(900);
      await untilSaid(3);
      expect(said()[2]!.start_ms - said()[1]!.end_ms).toBeGreaterThanOrEqual(1_150);
    },
  },
  {
    fields: ['conversational_experience.patience_with_user_entries'],
    title: 'waits for the rest of a number, and answers it as a whole',
    experience: talkingStyle({ patience_with_user_entries: { enabled: true, wait_seconds: 6 } }),
    stt: [{ text: 'My number is 9876' }, { text: '543210' }],
    llm: [{ text: 'Thank you.' }],
    play: async ({ untilSaid, speak, requests, until, said }) => {
      await untilSaid(1);
      await speak(800);
      await until(() => requests('stt').length === 1);
      await speak(800);
      await untilSaid(3);
      expect(said()[1]).toMatchObject({ speaker: 'user', text: 'My number is 9876 543210' });
      expect(requests('llm')).toHaveLength(1);
    },
  },
  {
    fields: ['conversational_experience.mood_mapping'],
    title: "is in the model's instructions",
    experience: talkingStyle({ mood_mapping: { angry: 'apologise first' } }),
    stt: [{ text: 'This is a scandal!' }],
    play: async ({ untilSaid, speak, requests }) => {
      await untilSaid(1);
      await speak(900);
      await untilSaid(3);
      expect(JSON.stringify(requests('llm')[0].messages)).toContain('apologise first');
    },
  },
];
