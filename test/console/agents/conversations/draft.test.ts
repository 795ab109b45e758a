import {
  conversationOf,
  draftOf,
  draftOfCall,
  EMPTY_TURN,
  NEW_DRAFT,
} from '../../../../console/src/agents/conversations/draft';
import type { ChatMessage, KeptConversation } from '../../../../sdk/typescript/generated';

const KEPT = {
  title: 'A refund',
  variables: { name: 'Asha', order: 7, plan: { level: 'gold' } },
  turns: [
    { expect: { contains: ['Asha', 'clinic'], max_words: 0 } },
    {
      user: 'Where is it?',
      expect: { contains_any: ['paid'], not_contains: ['sorry'], says_nothing: false, ends: false },
    },
    { user: 'Bye', expect: { says_nothing: true, ends: true } },
  ],
} as unknown as KeptConversation;

const line = (role: ChatMessage['role'], content: string): ChatMessage => ({
  role,
  content,
  start_ms: 0,
  end_ms: 0,
  interrupted: false,
});

describe('the form of a conversation', () => {
  test('saves an unedited conversation unchanged, even with variables that are not strings', () => {
    expect(conversationOf(draftOf(KEPT), KEPT)).toEqual(KEPT);
  });

  test('turns an edited variable into a string, and keeps the types of unedited variables', () => {
    const { variables } = conversationOf(
      { ...draftOf(KEPT), variables: 'order=8\nplan={"level":"gold"}' },
      KEPT,
    );
    expect(variables).toEqual({ order: '8', plan: { level: 'gold' } });
  });

  test('splits a variable at the first equals sign, and accepts a line without an equals sign', () => {
    const { variables } = conversationOf({
      ...NEW_DRAFT,
      variables: ' city = Pune = old \n\nempty\ntoString=x',
    });
    expect(variables).toEqual({ city: 'Pune = old', empty: '', toString: 'x' });
  });

  test('sets no expectations for empty or blank fields, and trims other fields', () => {
    const turns = [EMPTY_TURN, { ...EMPTY_TURN, user: ' Hi ', contains: ' a \n\n', max_words: ' ' }];
    expect(conversationOf({ title: ' T ', variables: '', turns })).toEqual({
      title: 'T',
      variables: {},
      turns: [{ expect: {} }, { user: 'Hi', expect: { contains: ['a'] } }],
    });
  });
});

describe('a conversation drafted from a browser session', () => {
  const users = (lines: ChatMessage[]): string[] => draftOfCall(lines).turns.map(({ user }) => user);

  test("puts the user's messages after an empty turn for the agent's opening", () => {
    const lines = [
      line('agent', 'Hello.'),
      line('user', 'One'),
      line('tool', 'x'),
      line('agent', 'Yes.'),
      line('user', 'Two'),
    ];
    expect(users(lines)).toEqual(['', 'One', 'Two']);
  });

  test("starts with the user's message if the user wrote first", () => {
    expect(users([line('user', 'One'), line('user', ' '), line('agent', 'Yes.')])).toEqual(['One']);
  });
});
