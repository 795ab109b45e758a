import { TrackLoudness } from '../../../../verify/bench/voice/loudness';
import { AUDIBLE, spansOf } from '../../../../verify/bench/voice/spans';
import { RATE, sound, trackOf } from './tracks';

const spans = (track: TrackLoudness) => spansOf(track.between(500, 9_000) ?? []);

test('speech begins and ends with its first and its last audible step of 10 ms', () => {
  expect(spans(trackOf([{ fromMs: 1_010, untilMs: 2_070 }]))).toEqual([{ fromMs: 1_010, untilMs: 2_070 }]);
});

test('a silence between syllables ends no speech, a longer one does', () => {
  const short = [
    { fromMs: 1_000, untilMs: 1_500 },
    { fromMs: 1_740, untilMs: 2_000 },
  ];
  expect(spans(trackOf(short))).toEqual([{ fromMs: 1_000, untilMs: 2_000 }]);
  const long = [
    { fromMs: 1_000, untilMs: 1_500 },
    { fromMs: 1_760, untilMs: 2_000 },
  ];
  expect(spans(trackOf(long))).toEqual(long);
});

test('a quiet line is no speech', () => {
  const track = new TrackLoudness();
  track.add(sound(10_000, AUDIBLE - 30), RATE, 0);
  expect(spans(track)).toEqual([]);
});

test('frames that come late and at once are dated by the time at which they were played', () => {
  const spoken = [{ fromMs: 3_000, untilMs: 4_000 }];
  const late = trackOf(spoken, 10_000, { heldUp: { fromMs: 2_900, untilMs: 3_100 } });
  expect(spans(late)).toEqual(spoken);
});

test.each([
  ['frames are missing', { lost: { fromMs: 4_000, untilMs: 4_300 } }, 10_000],
  ['the track ends before', {}, 8_500],
])('nothing is measured where %s', (_what, arrival, untilMs) => {
  expect(trackOf([], untilMs, arrival).between(500, 9_000)).toBeNull();
});

test('a piece that is no whole number of steps is refused: all that follow would be dated wrongly', () => {
  expect(() => new TrackLoudness().add(new Int16Array(81), RATE, 0)).toThrow('whole number of steps');
});
