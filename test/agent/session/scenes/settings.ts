import type { Scene } from '../../support/scene';

const idle = (more: object): object => ({ settings: { idle_conversation_settings: more } });
const endCall = (more: object): object => ({ settings: { end_call: more } });
const machine = (more: object): Pick<Scene, 'experience' | 'callContext'> => ({
  experience: { settings: { call_settings: { enable_voicemail_detection: true, ...more } } },
  callContext: { amd: true },
});

export const SETTINGS: readonly Scene[] = [
  {
    fields: [
      'settings.idle_conversation_settings.pulse_check',
      'settings.idle_conversation_settings.idle_call_warning_timeout',
      'settings.idle_conversation_settings.idle_call_warning_message',
      'settings.idle_conversation_settings.end_conversation_on_idle',
      'settings.idle_conversation_settings.idle_call_hangup_timeout',
      'settings.idle_conversation_settings.idle_call_hangup_message',
    ],
    title: 'make the agent say the warning, then the goodbye, and hang up',
    experience: idle({
      pulse_check: true,
      idle_call_warning_timeout: 5,
      idle_call_warning_message: 'Are you there?',
      end_conversation_on_idle: true,
      idle_call_hangup_timeout: 5,
      idle_call_hangup_message: 'Goodbye then.',
    }),
    play: async ({ untilEnded, said }) => {
      expect(await untilEnded()).toMatchObject({ end_reason: 'agent' });
      expect(said().map(({ text }) => text)).toEqual(['Hi Asha.', 'Are you there?', 'Goodbye then.']);
      const [greeting, warning, goodbye] = said();
      expect(warning!.start_ms - greeting!.end_ms).toBeGreaterThanOrEqual(4_900);
      expect(goodbye!.start_ms - warning!.end_ms).toBeGreaterThanOrEqual(4_900);
    },
  },
  {
    fields: [
      'settings.end_call.enabled',
      'settings.end_call.end_call_phrase',
      'settings.end_call.hangup_timeout',
    ],
    title: 'hangs up after the timeout when the agent has said it',
    experience: endCall({ enabled: true, end_call_phrase: 'have a nice day', hangup_timeout: 1 }),
    stt: [{ text: 'That was all.' }],
    llm: [{ text: 'Then have a nice day!' }],
    play: async ({ untilSaid, speak, untilEnded, said }) => {
      await untilSaid(1);
      await speak(900);
      expect(await untilEnded()).toMatchObject({ end_reason: 'agent' });
      expect(said().at(-1)).toMatchObject({ text: 'Then have a nice day!' });
    },
  },
  {
    fields: ['settings.end_call.end_call_phrase'],
    title: 'is answered before the hang-up when the user says it',
    experience: endCall({ enabled: true, end_call_phrase: 'bye bye', hangup_timeout: 0 }),
    stt: [{ text: 'OK, bye-bye.' }],
    llm: [{ text: 'Goodbye.' }],
    play: async ({ untilSaid, speak, untilEnded, said }) => {
      await untilSaid(1);
      await speak(900);
      expect(await untilEnded()).toMatchObject({ end_reason: 'agent' });
      expect(said().at(-1)).toMatchObject({ speaker: 'agent', text: 'Goodbye.' });
    },
  },
  {
    fields: ['settings.call_settings.max_call_duration', 'settings.call_settings.max_duration_enabled'],
    title: 'ends the call during speech, and the played part is emitted',
    persona: {
      identity: {
        greeting_message: { agent_message: 'I could go on like this for a very long time indeed.' },
      },
    },
    callContext: { max_talk_s: 2 },
    play: async ({ untilEnded, said }) => {
      expect(await untilEnded()).toMatchObject({ end_reason: 'max_talk' });
      expect(said()[0]).toMatchObject({ speaker: 'agent', interrupted: true });
    },
  },
  {
    ...machine({ action: 'hang_up' }),
    fields: ['settings.call_settings.enable_voicemail_detection', 'settings.call_settings.action'],
    title: 'hangs up on an answering machine without a word, and reports answered_by machine',
    stt: [{ text: 'Please leave a message after the tone.' }],
    play: async ({ untilAnswered, speak, untilEnded, said, events }) => {
      await untilAnswered();
      await speak(2_000);
      expect(await untilEnded()).toMatchObject({ end_reason: 'agent', answered_by: 'machine' });
      expect(said().filter(({ speaker }) => speaker === 'agent')).toEqual([]);
      expect(events.filter(({ type }) => type === 'answered').at(-1)).toMatchObject({
        answered_by: 'machine',
      });
    },
  },
  {
    ...machine({ action: 'leave_message', end_call_message: 'Dear {{name}}, please call back.' }),
    fields: ['settings.call_settings.action', 'settings.call_settings.end_call_message'],
    title: "leaves the message after the machine's announcement, and hangs up",
    stt: [{ text: 'You have reached the voicemail of Asha.' }],
    play: async ({ untilAnswered, speak, untilEnded, said }) => {
      await untilAnswered();
      await speak(2_000);
      expect(await untilEnded()).toMatchObject({ answered_by: 'machine' });
      expect(
        said()
          .filter(({ speaker }) => speaker === 'agent')
          .map(({ text }) => text),
      ).toEqual(['Dear Asha, please call back.']);
    },
  },
  {
    ...machine({ action: 'hang_up' }),
    fields: ['settings.call_settings.enable_voicemail_detection'],
    title: 'greets a person, whom a short hello distinguishes from a machine',
    stt: [{ text: 'Hello?' }],
    play: async ({ untilAnswered, speak, untilSaid, said, events }) => {
      await untilAnswered();
      await speak(700);
      await untilSaid(2);
      expect(
        said()
          .map(({ text }) => text)
          .sort(),
      ).toEqual(['Hello?', 'Hi Asha.']);
      expect(events.filter(({ type }) => type === 'answered').at(-1)).toMatchObject({ answered_by: 'human' });
    },
  },
];
