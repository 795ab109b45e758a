import { isRight, verdictOn, type Turn } from '../../../dev/talk/caller/verdict';

const QUESTION = { says: 'Where can I park my car?', answerHas: ['parking', 'building'] };
const turn = (changes: Partial<Turn> = {}): Turn => ({
  question: QUESTION,
  spokenAtMs: 10_000,
  answeredAtMs: 12_000,
  answer: 'There is free parking behind the building.',
  ...changes,
});

test('passes a turn that was heard and answered, ignoring case and punctuation', () => {
  const verdict = verdictOn([turn()], ['where can I park, my car'], []);
  expect(verdict).toMatchObject({ turns: 1, heard_right: 1, answered: 1, first_audio_ms_p50: 2_000 });
  expect(isRight(verdict)).toBe(true);
});

test.each([
  ['an answer to something else', turn({ answer: 'We are open every day.' }), ['Where can I park my car?']],
  ['silence', turn({ answeredAtMs: null, answer: '' }), ['Where can I park my car?']],
  ['a question that was misheard', turn(), ['Wear cannon bark?']],
  ['a question missing from the transcript', turn(), []],
])('fails a conversation with %s', (_what, one, heard) => {
  expect(isRight(verdictOn([one], heard, []))).toBe(false);
});

test('fails a conversation without turns', () => {
  expect(isRight(verdictOn([], [], []))).toBe(false);
});

test('computes the overhead as the wait minus silence and model work, counting overlaps once', () => {
  const work = [
    // Recognition begins during the silence. Synthesis of the next sentence ends after the first sound.
    { fromMs: 10_300, ms: 900 },
    { fromMs: 11_250, ms: 600 },
    { fromMs: 11_900, ms: 5_000 },
    // The caller's own voice is synthesised before the turn.
    { fromMs: 5_000, ms: 2_000 },
  ];
  // 500 ms of silence until 10,500; recognition until 11,200; 50 ms idle; synthesis until 11,850; 50 ms idle; then 100 ms of the next
  // synthesis.
  expect(verdictOn([turn()], [], work).own_overhead_ms_p50).toBe(100);
});

test("returns no overhead if a model's time is unknown", () => {
  expect(verdictOn([turn()], [], null).own_overhead_ms_p50).toBeNull();
});
