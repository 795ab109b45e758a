import { setTimeout as sleep } from 'node:timers/promises';
import { isAudible, type Samples } from '../../../../agent/audio/pcm';
import type { Scene } from '../../support/scene';

const recording = (more: object): object => ({ settings: { recording: more } });
const DISCLOSURE = 'This call with {{city}} is recorded, so that we may learn from it.';
const SAID = 'This call with Pune is recorded, so that we may learn from it.';

/** Splits a WAV file into its two channels: the user's and the agent's. */
function channelsOf(wav: Buffer): [Samples, Samples] {
  const both = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length));
  return [both.filter((_sample, at) => at % 2 === 0), both.filter((_sample, at) => at % 2 === 1)];
}

const isHeardIn = (samples: Samples): boolean =>
  Array.from({ length: Math.floor(samples.length / 320) }, (_none, at) =>
    samples.subarray(at * 320, (at + 1) * 320),
  ).some((frame) => isAudible(frame));

export const RECORDING: readonly Scene[] = [
  {
    fields: ['settings.recording.enabled'],
    title: 'is on by default',
    play: ({ untilSaid }) => untilSaid(1),
    afterwards: (wav) => expect(isHeardIn(channelsOf(wav!)[1])).toBe(true),
  },
  {
    fields: ['settings.recording.enabled'],
    title: 'records and discloses nothing when switched off',
    experience: recording({ enabled: false, disclosure: DISCLOSURE }),
    play: async ({ untilSaid, said }) => {
      await untilSaid(1);
      expect(said()[0]).toMatchObject({ text: 'Hi Asha.' });
    },
    afterwards: (wav) => expect(wav).toBeUndefined(),
  },
  {
    fields: ['settings.recording.disclosure'],
    title:
      'is said as a whole before the greeting, even over other speech, and nothing is recorded before its end',
    experience: recording({ disclosure: DISCLOSURE }),
    stt: [{ text: 'Wait a moment.' }],
    play: async ({ until, untilSaid, said, speak, soundAtMs }) => {
      await until(() => soundAtMs() !== null);
      await speak(1_200);
      await untilSaid(2);
      const [disclosed, greeted] = said().filter(({ speaker }) => speaker === 'agent');
      expect([disclosed?.text, disclosed?.interrupted, greeted?.text]).toEqual([SAID, undefined, 'Hi Asha.']);
      expect(greeted!.start_ms).toBeGreaterThanOrEqual(disclosed!.end_ms);
    },
    afterwards: (wav) => expect(channelsOf(wav!).map(isHeardIn)).toEqual([false, true]),
  },
  {
    fields: ['settings.recording.disclosure'],
    title: 'precedes the first words of a caller who speaks first, and the recording starts after it',
    persona: { identity: { greeting_message: { let_user_speak_first: true } } },
    experience: recording({ disclosure: DISCLOSURE }),
    play: async ({ untilSaid, said }) => {
      await untilSaid(1);
      expect(said().map(({ text }) => text)).toEqual([SAID]);
    },
  },
  {
    fields: ['settings.recording.disclosure'],
    title: 'is followed by no recording when the user leaves before its end',
    experience: recording({ disclosure: DISCLOSURE }),
    play: ({ until, soundAtMs }) => until(() => soundAtMs() !== null),
    afterwards: (wav) => expect(wav).toBeUndefined(),
  },
  {
    fields: ['settings.recording.disclosure'],
    title: 'is followed by no recording when the voice fails on the phone',
    experience: recording({ disclosure: DISCLOSURE }),
    // The voice fails for the greeting while the phone rings, and again after the answer.
    tts: [{ status: 500 }, { status: 500 }, { status: 500 }, { text: 'spoken again' }],
    play: async ({ untilSaid, said, soundAtMs }) => {
      await untilSaid(2);
      expect([said()[1]?.text, soundAtMs() !== null]).toEqual(['Hi Asha.', true]);
    },
    afterwards: (wav) => expect(wav).toBeUndefined(),
  },
  {
    fields: ['settings.recording.disclosure'],
    title: 'is only shown by an agent without a voice, so that nothing is recorded on the phone',
    experience: recording({ disclosure: DISCLOSURE }),
    without: ['tts'],
    play: async ({ untilSaid, until, captions }) => {
      await untilSaid(2);
      await until(() => captions().length === 2);
      expect(captions()).toEqual([SAID, 'Hi Asha.']);
    },
    afterwards: (wav) => expect(wav).toBeUndefined(),
  },
  {
    fields: ['settings.recording.disclosure'],
    title: 'is shown in the browser by an agent without a voice, and the session is recorded after it',
    experience: recording({ disclosure: DISCLOSURE }),
    medium: 'webrtc',
    without: ['tts'],
    play: async ({ untilSaid, until, captions, actions }) => {
      await untilSaid(2);
      await until(() => actions().includes('play'));
      expect(captions()).toEqual([SAID, 'Hi Asha.']);
      // The recording ends with the session. Wait until a part of the chime has been played and recorded.
      await sleep(200);
    },
    afterwards: (wav) => expect(isHeardIn(channelsOf(wav!)[1])).toBe(true),
  },
  {
    fields: ['settings.recording.disclosure'],
    title: 'is not said to an answering machine, which gets its message and is not recorded',
    experience: {
      settings: {
        recording: { disclosure: DISCLOSURE },
        call_settings: {
          enable_voicemail_detection: true,
          action: 'leave_message',
          end_call_message: 'Please call back.',
        },
      },
    },
    callContext: { amd: true },
    stt: [{ text: 'You have reached the voicemail of Asha.' }],
    play: async ({ untilAnswered, speak, untilEnded, said }) => {
      await untilAnswered();
      await speak(2_000);
      await untilEnded();
      const agent = said().filter(({ speaker }) => speaker === 'agent');
      expect(agent.map(({ text }) => text)).toEqual(['Please call back.']);
    },
    afterwards: (wav) => expect(wav).toBeUndefined(),
  },
];
