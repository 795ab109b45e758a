/** Expectations of scripted and kept conversations: what the agent must say in a turn and whether it must end the call. */

export interface JudgedTurn {
  /** Everything that the agent said in the turn. */
  said: string;
  /** The agent ended the call. */
  hasEnded: boolean;
}

/** The agent's turn must meet all of these expectations. Comparison ignores case. */
export interface TurnExpectations {
  /** The agent says all of these strings. */
  contains?: readonly string[];
  /** The agent says at least one of these strings. */
  contains_any?: readonly string[];
  /** The agent says none of these strings. */
  not_contains?: readonly string[];
  /** True: the agent says nothing. False: it says something. */
  says_nothing?: boolean;
  max_words?: number;
  /** Whether the agent ends the call. */
  ends?: boolean;
}

type ExpectationName = keyof TurnExpectations;

type Wish<Name extends ExpectationName> = NonNullable<TurnExpectations[Name]>;

/** Returns the words that complete "expected …", or null if the expectation is met. */
type Judgement<Name extends ExpectationName> = (wish: Wish<Name>, turn: JudgedTurn) => string | null;

/** Normalizes a text for comparison. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const isSaid = (text: string, { said }: JudgedTurn): boolean => fold(said).includes(fold(text));

const quoted = (text: string): string => `"${text}"`;

const unless = (isMet: boolean, wish: string): string | null => (isMet ? null : wish);

const firstOf = (text: string | undefined, wish: (text: string) => string): string | null =>
  text === undefined ? null : wish(text);

/** In the order in which unmet expectations are listed. */
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
  max_words: (max, { said }) =>
    unless(said.split(/\s+/).filter(Boolean).length <= max, `at most ${max} words`),
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

/** Returns the expectations that the turn does not meet. */
export const unmetIn = (turn: JudgedTurn, expected: TurnExpectations): string[] =>
  NAMES.map((name) => judge(name, expected, turn)).filter((fault) => fault !== null);
