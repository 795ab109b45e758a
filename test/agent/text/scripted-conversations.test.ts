/** Runs the project's own scripted conversations, like `npm run test:agents` does. */
import { join } from 'node:path';
import { conversationFiles, type ConversationFile } from '../../../agent/text/scripted/format';
import { runConversation } from '../../../agent/text/scripted/run';

const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const FOLDER = join(__dirname, '..', 'conversations');
const NAMES = ['actions', 'answers', 'endings', 'guardrails'];

let files: ConversationFile[];
beforeAll(async () => (files = await conversationFiles([FOLDER])));

test('runs every file of the folder', () => {
  expect(files.map(({ path }) => path)).toEqual(
    NAMES.map((name) => join(FOLDER, `${name}.conversation.json`)),
  );
});

test.each(NAMES)('meets the expectations of %s', async (name) => {
  const file = files.find(({ path }) => path.endsWith(`${name}.conversation.json`))!;
  const outcomes = await Promise.all(
    file.conversations.map(async ({ script, agent }) => ({
      title: script.title,
      outcome: await runConversation(script, {
        agent,
        log: LOG,
        request: () => Promise.reject(new Error('no conversation here asks a real server')),
        realModel: () => null,
      }),
    })),
  );
  expect(outcomes.filter(({ outcome }) => outcome.kind !== 'passed')).toEqual([]);
});
