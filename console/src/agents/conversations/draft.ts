/** Converts saved conversations to form values and back. An empty string means that a field isn't set. */
import type { ChatMessage, KeptConversation, KeptTurn } from '../../../../sdk/typescript/generated';

export interface TurnDraft {
  /** Empty only in the first turn, if the agent speaks first. */
  user: string;
  /** Phrases, one per line, as in the next two fields. */
  contains: string;
  contains_any: string;
  not_contains: string;
  max_words: string;
  says: '' | 'something' | 'nothing';
  ends: '' | 'true' | 'false';
}

export interface Draft {
  title: string;
  /** Lines of the form `name=value`. */
  variables: string;
  turns: TurnDraft[];
}

export const EMPTY_TURN: TurnDraft = {
  user: '',
  contains: '',
  contains_any: '',
  not_contains: '',
  max_words: '',
  says: '',
  ends: '',
};

/** Starts with a turn for the agent's opening and one user turn. */
export const NEW_DRAFT: Draft = { title: '', variables: '', turns: [EMPTY_TURN, EMPTY_TURN] };

export function draftOf({ title, variables = {}, turns }: KeptConversation): Draft {
  const lines = Object.entries<unknown>(variables).map(([name, value]) => `${name}=${written(value)}`);
  return { title, variables: lines.join('\n'), turns: turns.map(turnDraftOf) };
}

function turnDraftOf({ user = '', expect = {} }: KeptTurn): TurnDraft {
  const { contains = [], contains_any = [], not_contains = [], max_words, says_nothing, ends } = expect;
  return {
    user,
    contains: contains.join('\n'),
    contains_any: contains_any.join('\n'),
    not_contains: not_contains.join('\n'),
    max_words: max_words === undefined ? '' : String(max_words),
    says: says_nothing === undefined ? '' : says_nothing ? 'nothing' : 'something',
    ends: ends === undefined ? '' : ends ? 'true' : 'false',
  };
}

/** Takes the user's messages from a call. The console user adds the expectations by hand. */
export function draftOfCall(lines: readonly ChatMessage[]): Draft {
  const typed = lines.filter(({ role, content }) => role === 'user' && content.trim() !== '');
  const opening = lines[0]?.role === 'agent' ? [EMPTY_TURN] : [];
  return {
    ...NEW_DRAFT,
    turns: [...opening, ...typed.map(({ content }) => ({ ...EMPTY_TURN, user: content }))],
  };
}

/** `before` is the saved conversation. Variables that aren't strings keep their type unless they were edited. */
export function conversationOf(
  { title, variables, turns }: Draft,
  before?: KeptConversation,
): KeptConversation {
  return {
    title: title.trim(),
    variables: variablesOf(variables, before?.variables ?? {}),
    turns: turns.map(turnOf),
  };
}

/** The generated types declare the values of a free-form object as `never`. */
type Variables = NonNullable<KeptConversation['variables']>;

function variablesOf(text: string, before: Record<string, unknown>): Variables {
  const variables = linesOf(text).map((line) => {
    const at = line.indexOf('=');
    const name = (at === -1 ? line : line.slice(0, at)).trim();
    const value = at === -1 ? '' : line.slice(at + 1).trim();
    return [name, Object.hasOwn(before, name) && written(before[name]) === value ? before[name] : value];
  });
  return Object.fromEntries(variables) as Variables;
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function turnOf({ user, contains, contains_any, not_contains, max_words, says, ends }: TurnDraft): KeptTurn {
  const texts = (name: 'contains' | 'contains_any' | 'not_contains', text: string) => {
    const lines = linesOf(text);
    return lines.length === 0 ? {} : { [name]: lines };
  };
  return {
    ...(user.trim() !== '' && { user: user.trim() }),
    expect: {
      ...texts('contains', contains),
      ...texts('contains_any', contains_any),
      ...texts('not_contains', not_contains),
      ...(says !== '' && { says_nothing: says === 'nothing' }),
      ...(max_words.trim() !== '' && { max_words: Number(max_words) }),
      ...(ends !== '' && { ends: ends === 'true' }),
    },
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
