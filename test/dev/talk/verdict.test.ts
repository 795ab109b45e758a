import { isRight, verdictOn, type Turn } from '../../../dev/talk/caller/verdict';

const QUESTION = { says: 'Where can I park my car?', answerHas: ['parking', 'building'] };
const turn = (changes: Partial<Turn> = {}): Turn => ({
  question: QUESTION,
  spokenAtMs: 10_000,
  answeredAtMs: 12_000,
  answer: 'There is free parking behind the building.',
  ...changes,
});

test('a turn that was heard and answered is right, whatever the case and the marks', () => {
  const verdict = verdictOn([turn()], ['where can I park, my car'], []);
  expect(verdict).toMatchObject({ turns: 1, heard_right: 1, answered: 1, first_audio_ms_p50: 2_000 });
  expect(isRight(verdict)).toBe(true);
});

test.each([
  ['an answer to something else', turn({ answer: 'We are open every day.' }), ['Where can I park my car?']],
  ['silence', turn({ answeredAtMs: null, answer: '' }), ['Where can I park my car?']],
  ['a question that was heard as another', turn(), ['Wear cannon bark?']],
  ['a question that is not on record', turn(), []],
])('%s is not right', (_what, one, heard) => {
  expect(isRight(verdictOn([one], heard, []))).toBe(false);
});

test('a conversation without a turn is not right', () => {
  expect(isRight(verdictOn([], [], []))).toBe(false);
});

test('the overhead is the wait without the silence and the work of the models, of which what overlaps counts once', () => {
  const work = [
    // Recognition begins within the silence; the voice of the next sentence ends after the first sound.
    { fromMs: 10_300, ms: 900 },
    { fromMs: 11_250, ms: 600 },
    { fromMs: 11_900, ms: 5_000 },
    // The caller's own voice, before.
    { fromMs: 5_000, ms: 2_000 },
  ];
  // 500 of silence to 10,500; recognition to 11,200; 50 free; voice to 11,850; 50 free; 100 of the next.
  expect(verdictOn([turn()], [], work).own_overhead_ms_p50).toBe(100);
});

test('where a model is timed by nobody there is no overhead to report', () => {
  expect(verdictOn([turn()], [], null).own_overhead_ms_p50).toBeNull();
});
