/** A person's conversation with an agent in a terminal. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { types } from 'node:util';
import type { Screen } from './screen';
import type { TextConversation } from './text-conversation';

export interface Chat {
  conversation: TextConversation;
  screen: Screen;
  input: Readable;
  /** Whether the input is a terminal, which echoes typed text. */
  isTyped: boolean;
}

const HELP =
  'Commands: /prompt shows the instructions, /left-out lists the settings that are not used, /end leaves.';

/** Resolves when the agent ends the call or the input ends. */
export async function chat({ conversation, screen, input, isTyped }: Chat): Promise<void> {
  await conversation.greet();
  screen.endLine();
  // Created only now, because readline drops lines that are not read yet.
  const lines = createInterface({
    input,
    ...(isTyped && { output: process.stdout, prompt: screen.prompt }),
  });
  if (isTyped) lines.prompt();
  for await (const line of lines) {
    const words = line.trim();
    if (words === '/end' || words === '/quit') break;
    if (!isTyped && words !== '') screen.line(`${screen.prompt}${words}`);
    if (words.startsWith('/')) command(words, conversation, screen);
    else if (words !== '') await exchange(conversation, screen, words);
    if (conversation.hasEnded) break;
    if (isTyped) lines.prompt();
  }
  lines.close();
}

async function exchange(conversation: TextConversation, screen: Screen, words: string): Promise<void> {
  try {
    await conversation.say(words);
    screen.endLine();
  } catch (error) {
    screen.note(`no answer: ${types.isNativeError(error) ? error.message : 'unknown error'}`);
  }
}

function command(words: string, { logic }: TextConversation, screen: Screen): void {
  if (words === '/prompt') screen.line(logic.instructions);
  else if (words === '/left-out')
    for (const { part, why, count } of logic.ignoredSettings) screen.note(`${part}: ${why} (${count})`);
  else screen.note(HELP);
}
