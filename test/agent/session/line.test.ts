import { lineState } from '../../../agent/session/line';

test.each([
  // Packets of the current connection decide, regardless of earlier ones.
  [{ sinceAudioMs: 0, sinceAnswerMs: 60_000, hasSentAudio: true }, 'working'],
  [{ sinceAudioMs: 2_999, sinceAnswerMs: 3_000, hasSentAudio: false }, 'working'],
  [{ sinceAudioMs: 3_000, sinceAnswerMs: 60_000, hasSentAudio: true }, 'dead'],
  [{ sinceAudioMs: 3_000, sinceAnswerMs: 4_000, hasSentAudio: false }, 'dead'],
  // Working phones send audio from the answer on.
  [{ sinceAudioMs: null, sinceAnswerMs: 2_999, hasSentAudio: false }, 'working'],
  [{ sinceAudioMs: null, sinceAnswerMs: 3_000, hasSentAudio: false }, 'noAudio'],
  // A new connection to LiveKit has no statistics of the previous one.
  [{ sinceAudioMs: null, sinceAnswerMs: 60_000, hasSentAudio: true }, 'working'],
])('classifies a line with %j as %s', (facts, state) => {
  expect(lineState(facts)).toBe(state);
});
