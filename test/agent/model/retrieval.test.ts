/** Tests the search over FAQ and knowledge, and the note that is inserted before a turn. */
import { resolveConfig } from '../../../domain/agent-config';
import { IgnoredSettings } from '../../../agent/model/ignored-settings';
import { answersWithinBudget, notesFrom } from '../../../agent/model/retrieval/notes';
import { faqOf, knowledgeOf, type Passage } from '../../../agent/model/retrieval/passages';
import { searchOver } from '../../../agent/model/retrieval/search';
import { faqAnswer } from '../../../agent/model/no-model';
import type { Turn } from '../../../agent/model/turn';

const FAQ: Record<string, string> = {
  'How long does a refund take?': 'Five working days.',
  'Where is my nearest branch?': 'On our website, under branches.',
  'What documents do I need for a loan?': 'Your PAN card and three salary slips.',
  'रिफंड कब मिलेगा?': 'पाँच कार्य दिवसों में।',
  'लोन के लिए कौन से दस्तावेज़ चाहिए?': 'पैन कार्ड और तीन वेतन पर्चियाँ।',
  'Paise kab wapas milenge?': 'Paanch din mein.',
  'किश्तें कब देनी होती हैं?': 'हर महीने की पाँच तारीख़ को।',
  'கடன் வட்டி எவ்வளவு?': 'பத்து சதவீதம்.',
};
const passages = Object.entries(FAQ).map(([title, text]): Passage => ({ title, text, kind: 'faq' }));
const search = searchOver(passages);

const turn = (words: string, wordsBefore = ''): Turn => ({
  words,
  wordsBefore,
  at: 0,
  isNew: true,
  said: [],
});

describe('the search', () => {
  test.each([
    ['when will I get my refund', 'Five working days.'],
    ['I want to know about refunds please', 'Five working days.'],
    ['is there a branch nearby', 'On our website, under branches.'],
    ['which document for the loan', 'Your PAN card and three salary slips.'],
    ['what documnts for a loan', 'Your PAN card and three salary slips.'],
    ['मेरा रिफंड कब आएगा', 'पाँच कार्य दिवसों में।'],
    ['लोन के दस्तावेज बताइए', 'पैन कार्ड और तीन वेतन पर्चियाँ।'],
    ['मेरी किश्त कब है', 'हर महीने की पाँच तारीख़ को।'],
    ['mujhe paise wapas kab milenge', 'Paanch din mein.'],
    ['கடன் வட்டி என்ன', 'பத்து சதவீதம்.'],
  ])('matches "%s" to the answer "%s"', (question, answer) => {
    expect(faqAnswer(search, question)).toBe(answer);
  });

  test.each([
    '',
    '?!',
    'hello, how are you',
    'do you sell bicycles',
    'नमस्ते',
    'क्या आप साइकिल बेचते हैं',
    'the a of',
  ])('finds no answer for "%s"', (question) => {
    expect(faqAnswer(search, question)).toBeNull();
  });

  test('finds no answer that shares only one word with a long question', () => {
    expect(
      faqAnswer(search, 'my neighbour painted his bicycle green yesterday near the branch of a mango tree'),
    ).toBeNull();
  });

  test('treats the names of object properties as ordinary words', () => {
    const odd = searchOver([{ title: 'constructor', text: '__proto__ hasOwnProperty', kind: 'knowledge' }]);
    expect(odd.find('__proto__ constructor toString', 3)).toHaveLength(1);
    expect(searchOver([]).find('anything', 3)).toEqual([]);
  });
});

describe('the note before a turn', () => {
  const noteFor = notesFrom(passages, {});

  test("includes the passages that match the caller's words, and no others", () => {
    const note = noteFor(turn('How long does the refund take?'), false);
    expect(note).toContain('Answer: Five working days.');
    expect(note).not.toMatch(/PAN|branches/);
  });

  test('returns no note when nothing matches', () => {
    expect(noteFor(turn('My name is Asha'), false)).toBeNull();
    expect(noteFor(turn(''), false)).toBeNull();
  });

  test("also searches the caller's previous words when the current ones are few", () => {
    expect(noteFor(turn('And how long?', 'I would like a refund for my order'), false)).toContain(
      'Five working days.',
    );
  });

  test('includes answers in another script when none exist in the script of the question', () => {
    const english = notesFrom(passages.slice(0, 3), {});
    expect(english(turn('रिफंड कब मिलेगा?'), false)).toContain('Five working days.');
    expect(english(turn('what about bicycles'), false)).toBeNull();
  });

  test('instructs the model to redirect, with or without passages', () => {
    expect(noteFor(turn('My name is Asha'), true)).toMatch(/lead back/);
    expect(noteFor(turn('refund'), true)).toMatch(/Five working days[^]*lead back/);
  });

  test("replaces variables in the note, and limits the note's length", () => {
    const long = Array.from({ length: 6 }, (_, at): Passage => ({
      title: `refund ${at}`,
      text: `{{name}} ${'x'.repeat(1_500)}`,
      kind: 'knowledge',
    }));
    const note = notesFrom(long, { name: 'Asha' })(turn('refund'), false)!;
    expect(note).toContain('Asha xxx');
    expect(note.length).toBeLessThan(4_000);
  });
});

describe('configured passages', () => {
  const read = (knowledge: unknown) => {
    const ignored = new IgnoredSettings();
    const found = knowledgeOf(
      resolveConfig({ training: { knowledge: { rag_knowledge_base_dict: knowledge } } }),
      ignored,
    );
    return { found, ignored: ignored.all };
  };

  test('reads passages from named texts, including nested ones', () => {
    const { found, ignored } = read({
      refunds: 'Five days.',
      tariffs: { home: 'Ten.', office: { monthly: 'Twenty.' } },
    });
    expect(found.map(({ title, text }) => [title, text]).sort()).toEqual([
      ['refunds', 'Five days.'],
      ['tariffs, home', 'Ten.'],
      ['tariffs, office, monthly', 'Twenty.'],
    ]);
    expect(ignored).toEqual([]);
  });

  test('splits a text into passages at sentence ends without losing a word', () => {
    const text = Array.from({ length: 200 }, (_, at) => `Sentence number ${at} is here.`).join(' ');
    const { found } = read({ book: text });
    expect(found.length).toBeGreaterThan(5);
    for (const passage of found) {
      expect(passage.text.length).toBeLessThanOrEqual(700);
      expect(passage.text).toMatch(/^Sentence[^]*\.$/);
    }
    expect(found.map(({ text: part }) => part).join(' ')).toBe(text);
  });

  test('limits passages in length, even for a text without sentence ends or spaces', () => {
    const { found } = read({ book: 'x'.repeat(5_000) });
    expect(found.map(({ text }) => text).join('')).toBe('x'.repeat(5_000));
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(700);
  });

  test('ignores and records passages beyond a million characters or with an unknown shape', () => {
    const { found, ignored } = read({
      a: 'x'.repeat(490_000),
      b: 'y'.repeat(490_000),
      c: 'z'.repeat(490_000),
      d: 7,
    });
    expect(new Set(found.map(({ title }) => title))).toEqual(new Set(['a', 'b', 'd']));
    expect(ignored.map(({ count }) => count)).toEqual([1]);
    expect(read(null).found).toEqual([]);
    expect(read({ a: [{ title: 'Terms', content: 'No smoking.' }] })).toMatchObject({
      found: [],
      ignored: [{ count: 1 }],
    });
    expect(read({ a: { b: { c: { d: { e: { f: 'too deep' } } } } } }).found).toEqual([]);
  });

  test('reads a thousand FAQ answers, and includes only those within the budget in the instructions', () => {
    const ignored = new IgnoredSettings();
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`Question ${at}?`, 'x'.repeat(100)]),
    );
    const faq = faqOf(resolveConfig({ training: { know_how: { faq: many } } }), ignored);
    expect(faq).toHaveLength(1_000);
    expect(ignored.all).toEqual([]);
    const fitting = answersWithinBudget(faq, ignored);
    expect(fitting.length).toBeGreaterThan(90);
    expect(fitting.length).toBeLessThan(120);
    expect(ignored.all).toEqual([expect.objectContaining({ count: 1_000 - fitting.length })]);
  });
});
