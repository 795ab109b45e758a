import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from '../../support/scene';

const LONG =
  'Good morning, this is a rather long greeting that somebody will certainly want to interrupt soon.';
const greeting = (more: object): object => ({ identity: { greeting_message: more } });

export const IDENTITY: readonly Scene[] = [
  {
    fields: ['identity.greeting_message.agent_message', 'metadata'],
    title: 'is said first, with its variables filled in, and emitted with the times of its playout',
    play: async ({ untilSaid, until, said, requests, captions, soundAtMs }) => {
      await untilSaid(1);
      await until(() => captions().length === 1);
      expect(said()[0]).toMatchObject({ speaker: 'agent', text: 'Hi Asha.' });
      expect(requests('tts')[0].input).toBe('Hi Asha.');
      expect(captions()).toEqual(['Hi Asha.']);
      expect(soundAtMs()).not.toBeNull();
      const [first] = said();
      expect(first!.end_ms).toBeGreaterThan(first!.start_ms);
    },
  },
  {
    fields: ['identity.greeting_message.agent_speech_delay'],
    title: 'delays the greeting',
    persona: greeting({ agent_speech_delay: 1 }),
    play: async ({ untilSaid, said }) => {
      await untilSaid(1);
      expect(said()[0]!.start_ms).toBeGreaterThanOrEqual(1_000);
    },
  },
  {
    fields: ['identity.greeting_message.let_user_speak_first'],
    title: 'makes the agent wait for the user and answer their first words with the greeting',
    persona: greeting({ let_user_speak_first: true }),
    stt: [{ text: 'Hello?' }],
    play: async ({ untilAnswered, untilSaid, said, speak, requests }) => {
      await untilAnswered();
      await speak(600);
      await untilSaid(2);
      expect(
        said()
          .map(({ speaker, text }) => [speaker, text])
          .sort(),
      ).toEqual([
        ['agent', 'Hi Asha.'],
        ['user', 'Hello?'],
      ]);
      expect(requests('llm')).toEqual([]);
    },
  },
  {
    fields: ['identity.greeting_message.user_speech_delay'],
    title: 'is the silence that the agent waits for after the first words',
    persona: greeting({ let_user_speak_first: true, user_speech_delay: 2 }),
    stt: [{ text: 'Hello?' }],
    play: async ({ untilAnswered, untilSaid, said, speak }) => {
      await untilAnswered();
      await speak(600);
      await untilSaid(2);
      const [user, agent] = ['user', 'agent'].map((who) => said().find(({ speaker }) => speaker === who)!);
      expect(agent!.start_ms - user!.end_ms).toBeGreaterThanOrEqual(1_900);
    },
  },
  {
    fields: ['identity.greeting_message.interruptible'],
    title:
      'lets the greeting be interrupted: the played part is emitted, and the interrupting words are answered',
    persona: greeting({ agent_message: LONG }),
    stt: [{ text: 'Wait a moment.' }],
    llm: [{ text: 'Of course.' }],
    play: async ({ until, untilSaid, said, speak, soundAtMs, live }) => {
      await until(() => soundAtMs() !== null);
      // Let some of the greeting be played. If it were held at its first word, nothing of it would be in the transcript.
      await sleep(500);
      await speak(1_200);
      await untilSaid(3);
      const [greeted, answer] = said().filter(({ speaker }) => speaker === 'agent');
      expect(greeted).toMatchObject({ interrupted: true });
      expect(LONG.startsWith(greeted!.text)).toBe(true);
      expect(greeted!.text.length).toBeLessThan(LONG.length);
      expect(answer).toMatchObject({ text: 'Of course.' });
      expect(live().map(([kind]) => kind)).toContain('interrupted');
    },
  },
  {
    fields: ['identity.greeting_message.interruptible'],
    title: 'plays the greeting to its end when switched off',
    persona: greeting({ agent_message: LONG, interruptible: false }),
    stt: [{ text: 'Wait a moment.' }],
    play: async ({ until, untilSaid, said, speak, soundAtMs }) => {
      await until(() => soundAtMs() !== null);
      await speak(1_200);
      await untilSaid(1);
      expect(said()[0]).toMatchObject({ text: LONG });
      expect(said()[0]!.interrupted).toBeUndefined();
    },
  },
  {
    fields: ['identity.system_prompt', 'identity.personality', 'metadata'],
    title: "are in the model's instructions, with variables filled in",
    persona: { identity: { system_prompt: 'You collect for {{city}}.', personality: { tone: 'friendly' } } },
    stt: [{ text: 'Who are you?' }],
    play: async ({ untilSaid, speak, requests }) => {
      await untilSaid(1);
      await speak(900);
      await untilSaid(3);
      const [system] = requests('llm')[0].messages;
      expect(JSON.stringify(system)).toContain('You collect for Pune.');
      expect(JSON.stringify(system)).toContain('friendly');
    },
  },
];
