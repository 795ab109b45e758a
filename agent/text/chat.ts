/** Lets a person talk to an agent in a terminal. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { types } from 'node:util';
import type { TextConversation, CallAction, ToolUse } from './text-conversation';

interface Chat {
  conversation: TextConversation;
  screen: Screen;
  input: Readable;
  /** True if the input is a terminal, which echoes what the user types. */
  isTyped: boolean;
}

const HELP =
  'Commands: /prompt shows the instructions, /left-out lists the settings that are not used, /end leaves.';
const MARGIN = '       ';
const LONGEST_LINE = 300;
const BOLD = 1;
const RED = 31;
const CYAN = 36;
const GREY = 90;

/** Resolves when the agent ends the call or the input ends. */
export async function chat({ conversation, screen, input, isTyped }: Chat): Promise<void> {
  await conversation.greet();
  screen.endLine();
  // Create this only now, because readline drops lines that arrive before they are read.
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

interface ScreenOptions {
  write: (text: string) => void;
  hasColours: boolean;
}

/** Prints the agent's words as they stream. Actions appear on separate lines in between. */
export class Screen {
  private isSpeaking = false;

  constructor(private readonly options: ScreenOptions) {}

  words(words: string): void {
    const text = this.isSpeaking ? words : words.trimStart();
    if (text === '') return;
    if (!this.isSpeaking) this.options.write(this.paint('agent  ', CYAN));
    this.isSpeaking = true;
    this.options.write(text.replaceAll('\n', `\n${MARGIN}`));
  }

  tool({ name, arguments: args, output, isError }: ToolUse): void {
    this.note(`${name} ${JSON.stringify(args)}`);
    if (output !== null) this.note(`${isError ? 'error: ' : ''}${output}`, isError ? RED : GREY);
  }

  callAction(action: CallAction): void {
    switch (action.kind) {
      case 'ended':
        return this.note('ends the call');
      case 'callback':
        return this.note(`asks to be called back${action.at === null ? '' : ` at ${action.at}`}`);
      case 'transfer':
        return this.note(`transfers the call to ${action.to}`);
      case 'request':
        // Headers are not shown, because they can contain keys.
        return this.note(`${action.method} ${action.url}${action.body === null ? '' : ` ${action.body}`}`);
    }
  }

  note(text: string, colour = GREY): void {
    this.endLine();
    const short = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
    this.options.write(`${MARGIN}${this.paint(short.replace(/\s+/g, ' '), colour)}\n`);
  }

  line(text: string): void {
    this.endLine();
    this.options.write(`${text}\n`);
  }

  endLine(): void {
    if (this.isSpeaking) this.options.write('\n');
    this.isSpeaking = false;
  }

  get prompt(): string {
    return this.paint('you    ', BOLD);
  }

  private paint(text: string, code: number): string {
    return this.options.hasColours ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
