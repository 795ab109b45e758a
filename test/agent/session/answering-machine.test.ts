import {
  classifyAnswer,
  soundsLikeMachine,
  voicemailSettingsOf,
  type SpeechSoFar,
} from '../../../agent/session/turns/answering-machine';
import { resolveConfig } from '../../../workflows/domain/agent-config';

const heard = (more: Partial<SpeechSoFar>): SpeechSoFar => ({
  passedMs: 1_000,
  spokenMs: 0,
  speakingMs: null,
  pauseMs: null,
  words: '',
  ...more,
});

test.each([
  ['a hello and a pause', { spokenMs: 600, pauseMs: 900, words: 'Hello?' }, 'human'],
  ['a hello, just ended', { spokenMs: 600, pauseMs: 300 }, null],
  ['a sentence, and a breath', { spokenMs: 3_000, pauseMs: 1_000 }, null],
  ['a sentence, and a pause', { spokenMs: 3_000, pauseMs: 1_600 }, 'human'],
  ['speech without a pause', { speakingMs: 4_600 }, 'machine'],
  ['the words of a machine', { speakingMs: 500, words: 'at the tone please record' }, 'machine'],
  ['nothing at all', { passedMs: 4_100 }, 'unknown'],
  ['nothing yet', { passedMs: 3_900 }, null],
  ['neither one nor the other for long', { passedMs: 12_100, spokenMs: 3_000, speakingMs: 300 }, 'unknown'],
] as const)('%s: %j is %s', (_what, so, answerer) => {
  expect(classifyAnswer(heard(so))).toBe(answerer);
});

test.each([
  ['Please leave a message after the beep.', true],
  ['The number you have dialled is switched off.', true],
  ['The subscriber is not reachable', true],
  ['आप जिस नंबर पर कॉल कर रहे हैं वह उपलब्ध नहीं है', true],
  ['Hello, who is this?', false],
  ['Yes, speaking.', false],
])('%j sounds like a machine: %s', (words, expected) => expect(soundsLikeMachine(words)).toBe(expected));

describe('answering machine detection', () => {
  const brief = (more: object, call: object = {}): any => ({
    amd: true,
    medium: 'telephony',
    direction: 'Outbound',
    variables: { name: 'Asha' },
    agent: { config: resolveConfig({ experience: { settings: { call_settings: more } } }) },
    ...call,
  });
  test('runs for outbound phone calls only', () => {
    expect(voicemailSettingsOf(brief({}))).toEqual({ message: null });
    expect(voicemailSettingsOf(brief({}, { amd: false }))).toBeNull();
    expect(voicemailSettingsOf(brief({}, { direction: 'Incoming' }))).toBeNull();
    expect(voicemailSettingsOf(brief({}, { medium: 'webrtc' }))).toBeNull();
  });
  test('leaves a message only when the configuration has one', () => {
    const leave = { action: 'leave_message', end_call_message: 'Hi {{name}}.' };
    expect(voicemailSettingsOf(brief(leave))).toEqual({ message: 'Hi Asha.' });
    expect(voicemailSettingsOf(brief({ ...leave, action: 'hang_up' }))).toEqual({ message: null });
    expect(voicemailSettingsOf(brief({ action: 'leave_message' }))).toEqual({ message: null });
  });
});
