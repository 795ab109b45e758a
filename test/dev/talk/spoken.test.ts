/** Tests spoken conversations without sound: their files, the caller's behaviour and the verdict. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import type { RoomCaller } from '../../../dev/talk/caller/room-caller';
import {
  converseBySound,
  isEnough,
  passes,
  summaryOf,
  type SpokenOutcome,
} from '../../../dev/talk/spoken/converse';
import { readSpokenConversations, type SpokenConversation } from '../../../dev/talk/spoken/conversations';
import { resolveConfig } from '../../../domain/agent-config';

const CONVERSATION: SpokenConversation = {
  title: 'Desk',
  agent: { agent_display_name: 'Desk', config: {} },
  goal: 'learn the hours',
  greeting: ['clinic'],
  turns: [
    { says: 'When are you open?', hears: ['nine', 'six'] },
    { says: 'Where can I park?', hears: ['parking'] },
  ],
};

/** Simulates an agent that gives these answers in order, with the judge's readings separated by `|`; null is silence. */
function conversing(answers: readonly (string | null)[]): {
  outcome: Promise<SpokenOutcome>;
  said: number[];
} {
  const said: number[] = [];
  let nth = -1;
  const caller = {
    say: (samples: Int16Array) => {
      said.push(samples.length);
      return Promise.resolve(1_000);
    },
    untilAnswered: () => {
      nth += 1;
      return Promise.resolve(answers[nth] == null ? null : 1_700.4);
    },
    recording: () => new Int16Array(nth),
  } as unknown as RoomCaller;
  const outcome = converseBySound({
    conversation: CONVERSATION,
    caller,
    judge: { readingsOf: ({ length }) => Promise.resolve(answers[length]?.split('|') ?? []) },
    voiceOf: ({ length }) => Promise.resolve(new Int16Array(length)),
  });
  return { outcome, said };
}

const GREETING = 'garden clinic good day';
const HOURS = 'we are open from nine until six';
const PARKING = 'there is free parking';

test('passes a conversation if the caller hears the expected words in each answer', async () => {
  const outcome = await conversing([GREETING, HOURS, PARKING]).outcome;
  expect(passes(CONVERSATION, outcome)).toBe(true);
  expect(outcome.turns.map(({ attempts, firstAudioMs }) => [attempts, firstAudioMs])).toEqual([
    [1, 700],
    [1, 700],
  ]);
});

test("accepts a word from the judge's second reading", async () => {
  const outcome = await conversing([
    'garden click|garden clinic',
    'from nine until sick|from mine until six',
    PARKING,
  ]).outcome;
  expect(passes(CONVERSATION, outcome)).toBe(true);
  expect([outcome.greeting, outcome.turns[0]?.heard]).toEqual(['garden click', 'from nine until sick']);
});

test('repeats a question once if the answer lacks the words, but not twice', async () => {
  const { outcome, said } = conversing([GREETING, 'pardon', HOURS, 'pardon', null]);
  const { turns } = await outcome;
  expect(said).toHaveLength(4);
  expect(turns.map(({ isRight, attempts }) => [isRight, attempts])).toEqual([
    [true, 2],
    [false, 2],
  ]);
});

test.each([
  ['an agent that does not greet', [null]],
  ['another greeting', ['hello there', HOURS, PARKING]],
  ['an agent that is silent', [GREETING, null, null, PARKING]],
  ['a wrong answer', [GREETING, HOURS, 'I do not know', 'I do not know']],
])('fails a conversation with %s', async (_what, answers) => {
  expect(passes(CONVERSATION, await conversing(answers).outcome)).toBe(false);
});

describe('the verdict', () => {
  const right = () => conversing([GREETING, HOURS, PARKING]).outcome;
  const wrong = () => conversing([null]).outcome;
  const played = async (outcomes: readonly Promise<SpokenOutcome>[]) => ({
    conversation: CONVERSATION,
    outcomes: await Promise.all(outcomes),
  });

  test('passes if each conversation passes often enough', async () => {
    const summary = summaryOf([await played([right(), right(), wrong(), right()])], 0.75);
    expect(summary).toMatchObject({ conversations: 4, passed: 3, least_share: 0.75, turns: 6 });
    expect(isEnough(summary)).toBe(true);
    expect(isEnough({ ...summary, min_pass: 0.8 })).toBe(false);
  });

  test('fails without conversations, or if a single conversation fails too often', async () => {
    const all = [await played([right(), right(), right()]), await played([wrong()])];
    expect(isEnough(summaryOf(all, 0.5))).toBe(false);
    expect(isEnough(summaryOf([], 0))).toBe(false);
  });
});

test('includes a conversation for each example agent, with words from its greeting and answers', async () => {
  const all = await readSpokenConversations([join(repositoryRoot(), 'test', 'agent', 'conversations')]);
  expect(all.map(({ agent }) => agent.agent_display_name)).toEqual(['Front desk', 'Reminder', 'Survey']);
  for (const { agent, greeting, turns } of all) {
    const { persona, training } = resolveConfig(agent.config);
    const opening = persona.identity.greeting_message.agent_message.toLowerCase();
    expect(greeting.filter((word) => !opening.includes(word))).toEqual([]);
    const answers = Object.values(training.know_how.faq).map((text) => String(text).toLowerCase());
    const unanswered = turns.filter(
      ({ hears }) => !answers.some((answer) => hears.every((word) => answer.includes(word))),
    );
    expect(unanswered).toEqual([]);
  }
});

test('rejects a conversation file with a misspelt key and a missing path, and names them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoken-'));
  try {
    const file = join(folder, 'one.spoken.json');
    writeFileSync(file, JSON.stringify({ title: 'A', agent: 'a.json', goal: 'g', turnss: [] }));
    await expect(readSpokenConversations([folder])).rejects.toThrow(file);
    await expect(readSpokenConversations([join(folder, 'gone')])).rejects.toThrow('does not exist');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
