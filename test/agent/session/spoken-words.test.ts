import { FillerChoice } from '../../../agent/session/voice/fillers';
import { endPhraseOf, saysPhrase } from '../../../agent/session/turns/end-phrase';
import { spoken, plainWords, pronounced } from '../../../agent/session/voice/spoken-text';
import { playedTranscript } from '../../../agent/session/voice/room-audio';
import { resolveConfig } from '../../../domain/agent-config';

async function allOf(pieces: readonly string[], pairs: ReadonlyMap<string, string>): Promise<string> {
  let whole = '';
  for await (const piece of spoken(ReadableStream.from(pieces) as AsyncIterable<string>, pairs))
    whole += piece;
  return whole;
}

describe('the played part of interrupted words', () => {
  const WORDS = 'One two three four.';
  test('keeps a share of the words in proportion to the played audio, in whole words', () => {
    expect(playedTranscript(WORDS, { playedMs: 500, capturedMs: 1_000, isWhole: true })).toBe('One two');
    expect(playedTranscript(WORDS, { playedMs: 1_000, capturedMs: 1_000, isWhole: true })).toBe(WORDS);
  });
  test('keeps no words when no audio was played', () => {
    expect(playedTranscript(WORDS, { playedMs: 0, capturedMs: 0, isWhole: false })).toBe('');
  });
  test('accounts for audio that has not been synthesised yet', () => {
    const played = playedTranscript(WORDS, { playedMs: 200, capturedMs: 200, isWhole: false });
    expect(played.length).toBeLessThan(WORDS.length / 2);
  });
});

describe('spoken text', () => {
  test.each([
    ['**Dear** _Asha_, `now`', 'Dear Asha, now'],
    ['See [our page](https://x.example/a)!', 'See our page!'],
    ['Great 👍🏽 news', 'Great  news'],
    ['snake_case stays', 'snake_case stays'],
    ['# Title\n- one', 'Title\none'],
    ['5 * 3', '5  3'],
    ['![A map](https://x.example/a.png) here', 'A map here'],
    ['Go to https://www.example.com/a now', 'Go to example.com/a now'],
    ['See <https://example.com>.', 'See example.com.'],
    ['• one\n• two', 'one\ntwo'],
    ['One<br/>two, <b>three</b>', 'One two,  three '],
    ['| Plan | Price |\n|---|---|\n| Gold | 5 |', ' Plan Price \n\n Gold 5 '],
    ['Above\n---\nbelow', 'Above\n\nbelow'],
    ['Namaste 🇮🇳 1️⃣', 'Namaste  1'],
    ['Wait <break time="1s"/> please', 'Wait <break time="1s"/> please'],
  ])('turns %j into %j', (written, said) => expect(plainWords(written)).toBe(said));

  test('replaces whole words in any case, the longest entry first', () => {
    const pairs = new Map([
      ['emi', 'E M I'],
      ['emi plan', 'instalment plan'],
    ]);
    expect(pronounced('Your EMI plan, the emi, premium.', pairs)).toBe(
      'Your instalment plan, the E M I, premium.',
    );
  });

  test('returns the same spoken text wherever the written text is cut', async () => {
    const pairs = new Map([['emi plan', 'instalment plan']]);
    const text = 'Your **EMI plan** is [here](https://x.example/) now.';
    const whole = await allOf([text], pairs);
    expect(whole).toBe('Your instalment plan is here now.');
    expect(await allOf([...text], pairs)).toBe(whole);
  });
});

describe('filler words', () => {
  const choices = (frequency: number, count: number): (string | null)[] => {
    const choice = new FillerChoice({ frequency, words: ['Hmm', 'Well'] });
    return Array.from({ length: count }, () => choice.next());
  };
  test.each([
    [0, [null, null, null, null]],
    [1, ['Hmm', 'Well', 'Hmm', 'Well']],
    [0.5, [null, 'Hmm', null, 'Well']],
  ])('spreads filler words evenly at a frequency of %s', (frequency, expected) =>
    expect(choices(frequency, 4)).toEqual(expected),
  );
  test('chooses no filler word from an empty list', () => {
    expect(new FillerChoice({ frequency: 1, words: [] }).next()).toBeNull();
  });
});

describe('the end-call phrase', () => {
  const config = (end_call: object) => resolveConfig({ experience: { settings: { end_call } } });
  const phrase = endPhraseOf(config({ enabled: true, end_call_phrase: 'Bye bye!' }));
  test.each([
    ['OK, bye-bye then', true],
    ['BYE BYE', true],
    ['bye', false],
    ['goodbye bye', false],
    ['', false],
  ])('looks for the end-call phrase in %j: %s', (words, expected) =>
    expect(saysPhrase(words, phrase!)).toBe(expected),
  );
  test('returns no end-call phrase unless it is enabled and not empty', () => {
    expect(endPhraseOf(config({ enabled: false, end_call_phrase: 'bye' }))).toBeNull();
    expect(endPhraseOf(config({ enabled: true, end_call_phrase: ' … ' }))).toBeNull();
  });
  test('keeps the timeout of the end-call phrase within the limits', () => {
    expect(phrase?.hangUpAfterMs).toBe(2_000);
    expect(
      endPhraseOf(config({ enabled: true, end_call_phrase: 'x', hangup_timeout: 900 }))?.hangUpAfterMs,
    ).toBe(60_000);
  });
});
