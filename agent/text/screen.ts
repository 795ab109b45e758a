/** The terminal output of a conversation. */
import type { CallAction, ToolUse } from './text-conversation';

export interface ScreenOptions {
  write: (text: string) => void;
  hasColours: boolean;
}

const MARGIN = '       ';
const LONGEST_LINE = 300;

/** Writes the agent's words as they stream, and its actions on separate lines between them. */
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

  tool({ name, arguments: given, output, isError }: ToolUse): void {
    this.note(`${name} ${JSON.stringify(given)}`);
    if (output !== null) this.note(`${isError ? 'refused: ' : ''}${output}`, isError ? RED : GREY);
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

const BOLD = 1;
const RED = 31;
const CYAN = 36;
const GREY = 90;
