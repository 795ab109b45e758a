/** The sound that a recogniser of whole utterances gets. */
import { frameOf } from '../../../agent/audio/sdk-frames';
import { UtteranceSound } from '../../../agent/session/turns/near-voice';

/** Adds windows that are filled with their own number. */
const hear = (sound: UtteranceSound, from: number, to: number): void => {
  for (let nth = from; nth <= to; nth += 1) sound.add(frameOf(new Int16Array(512).fill(nth)));
};
const numbers = ({ data }: ReturnType<UtteranceSound['end']>): number[] =>
  [...data].filter((_sample, at) => at % 512 === 0);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_none, nth) => from + nth);

test('keeps half a second from before speech was detected, and everything until its end', () => {
  const sound = new UtteranceSound();
  hear(sound, 1, 100);
  sound.start();
  hear(sound, 101, 130);
  expect(numbers(sound.end())).toEqual(range(83, 130));
});

test('excludes audio of the previous utterance', () => {
  const sound = new UtteranceSound();
  hear(sound, 1, 20);
  sound.start();
  hear(sound, 21, 40);
  sound.end();
  hear(sound, 41, 42);
  sound.start();
  hear(sound, 43, 50);
  expect(numbers(sound.end())).toEqual(range(37, 50));
});

test('keeps only the first minute of an endless utterance', () => {
  const sound = new UtteranceSound();
  sound.start();
  hear(sound, 1, 2_000);
  expect(numbers(sound.end())).toEqual(range(1, 1_875));
});
