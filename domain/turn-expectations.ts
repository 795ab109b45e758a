/**
 * What a turn of an agent is expected to say, and whether to end the call: judged without a model, by what was said. Files of scripted
 * conversations and the conversations that are kept with an agent share it.
 */

export interface JudgedTurn {
  /** All that the agent said in the turn. */
  said: string;
  /** The agent has ended the call. */
  hasEnded: boolean;
}

/** Each is optional; all that are there must be met. */
export interface TurnExpectations {
  /** All of them are said, in any case. */
  contains?: readonly string[];
  /** At least one is. */
  contains_any?: readonly string[];
  /** None is. */
  not_contains?: readonly string[];
  /** Nothing is said; or, false, something is. */
  says_nothing?: boolean;
  /** No more words are said. */
  max_words?: number;
  ends?: boolean;
}

export type ExpectationName = keyof TurnExpectations;

type Wish<Name extends ExpectationName> = NonNullable<TurnExpectations[Name]>;

/** Completes "expected …"; null where it is met. */
type Judgement<Name extends ExpectationName> = (wish: Wish<Name>, turn: JudgedTurn) => string | null;

/** As texts are compared, in any case. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const isSaid = (text: string, { said }: JudgedTurn): boolean => fold(said).includes(fold(text));

const quoted = (text: string): string => `"${text}"`;

const unless = (isMet: boolean, wish: string): string | null => (isMet ? null : wish);

const firstOf = (text: string | undefined, wish: (text: string) => string): string | null =>
  text === undefined ? null : wish(text);

/** In the order in which unmet ones are listed. */
export const JUDGEMENTS: { readonly [Name in ExpectationName]: Judgement<Name> } = {
  contains: (texts, turn) =>
    firstOf(
      texts.find((text) => !isSaid(text, turn)),
      (text) => `to say ${quoted(text)}`,
    ),
  contains_any: (texts, turn) =>
    unless(
      texts.some((text) => isSaid(text, turn)),
      `to say one of ${texts.map(quoted).join(', ')}`,
    ),
  not_contains: (texts, turn) =>
    firstOf(
      texts.find((text) => isSaid(text, turn)),
      (text) => `not to say ${quoted(text)}`,
    ),
  says_nothing: (wish, { said }) =>
    unless((said.trim() === '') === wish, wish ? 'to say nothing' : 'to say something'),
  max_words: (most, { said }) =>
    unless(said.split(/\s+/).filter(Boolean).length <= most, `at most ${most} words`),
  ends: (wish, { hasEnded }) => unless(hasEnded === wish, wish ? 'to end the call' : 'not to end the call'),
};

const judge = <Name extends ExpectationName>(
  name: Name,
  expected: TurnExpectations,
  turn: JudgedTurn,
): string | null => {
  const wish: TurnExpectations[Name] = expected[name];
  return wish === undefined ? null : JUDGEMENTS[name](wish, turn);
};

const NAMES = Object.keys(JUDGEMENTS) as ExpectationName[];

/** The expectations that the turn does not meet. */
export const unmetIn = (turn: JudgedTurn, expected: TurnExpectations): string[] =>
  NAMES.map((name) => judge(name, expected, turn)).filter((fault) => fault !== null);
