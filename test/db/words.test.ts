/** Tests that words match in every case, spelling and script, under every locale of the database. */
import { onlyRow } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';

describeWith('postgres', 'words_of()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open(1);
  });
  afterAll(() => engine.close());

  /** Returns whether a search for these words finds the text. */
  async function isFound(said: string, search: string): Promise<boolean> {
    const { found } = await onlyRow<{ found: boolean }>(
      engine.db,
      'select words_of(:said) @> words_of(:search) and cardinality(words_of(:search)) > 0 as found',
      { said, search },
    );
    return found;
  }

  test.each([
    ['नमस्ते। मुझे लोन नहीं चाहिए।', 'नमस्ते'],
    ['नमस्ते। मुझे लोन नहीं चाहिए।', 'चाहिए लोन'],
    ['our “premium” plan… that’s fine…', 'premium'],
    ['our “premium” plan… that’s fine…', "that's FINE"],
    ['our “premium” plan… that’s fine…', 'that’s'],
    ["that's fine", 'THAT’S'],
    ['wait…', 'Wait'],
    ['one—two–three', 'two'],
    ['Évaluation gratuite', 'évaluation'],
    ['ÉVALUATION gratuite', 'Évaluation'],
    ['l’évaluation est gratuite', 'évaluation'],
    ['«Привет», сказал Ёжик', 'ПРИВЕТ ёжик'],
    ['Η ΟΔΟΣ είναι εδώ', 'οδος'],
    ['η οδός', 'ΟΔΌΣ'],
    ['STRASSE', 'Straße'],
    ['İstanbul ve Isparta', 'istanbul'],
    ['Tiếng Việt', 'tiếng việt'.normalize('NFD')],
    ['Zoë'.normalize('NFD'), 'zoë'],
    ['क़लम'.normalize('NFC'), 'क़लम'],
    ['क्‍या हाल', 'क्या'],
    ['ＡＢＣ １２３', 'abc 123'],
    ['我家在上海东边。', '上海'],
    ['我家在上海东边。', '我家在上海东边'],
    ['我家在上海东边。', '家'],
    ['私は東京に住んでいます。', '東京'],
    ['カタカナのコーヒー', 'コーヒー'],
    ['ｺｰﾋｰ', 'コーヒー'],
    ['สวัสดีครับ', 'สวัสดี'],
    ['ខ្ញុំស្រលាញ់អ្នក', 'ស្រលាញ់'],
    ['iPhone手机坏了', 'iphone'],
    ['iPhone手机坏了', '手机'],
    ['저는 서울에 살아요.', '서울에'],
    ['مرحبا، كيف حالك؟', 'مرحبا'],
    ['שלום, מה שלומך?', 'שלום'],
    ['mail asha@example.com, 3.5 or €500', 'asha@example.com'],
    ['mail asha@example.com, 3.5 or €500', '500 3.5'],
    ['a call-back, please', 'call‑back'],
  ])('matches %s with %s', async (said, search) => {
    expect(await isFound(said, search)).toBe(true);
  });

  test.each([
    ['premium plan', 'prem'],
    ['我家在上海东边。', '海上'],
    ['我家在上海东边。', '北京'],
    ['नमस्ते', 'नम'],
    ['A refund.', 'refund Friday'],
    ['A refund.', '?! –'],
    ['A refund.', '‍…'],
  ])('does not match %s with %s', async (said, search) => {
    expect(await isFound(said, search)).toBe(false);
  });

  test('splits a long text into words within the time limit, even in a script without spaces', async () => {
    const text = Array.from({ length: 100_000 }, (_none, n) =>
      String.fromCodePoint(0x20000 + ((n * 7919) % 42_000)),
    );
    const { bytes } = await onlyRow<{ bytes: number }>(
      engine.db,
      'select pg_column_size(array_to_tsvector(words_of(:text))) as bytes',
      { text: text.join('') },
    );
    expect(bytes).toBeGreaterThan(100_000);
  });

  test.each(['"C"', '"POSIX"', 'ucs_basic', 'pg_c_utf8'])(
    'splits texts and searches the same way with the locale %s',
    async (locale) => {
      const { same } = await onlyRow<{ same: boolean }>(
        engine.db,
        `select words_of('ÉVALUATION। wait…' collate ${locale}) @> words_of('évaluation wait') as same`,
      );
      expect(same).toBe(true);
    },
  );
});
