/** How a noun and its verbs are declared, and what runs when one is typed. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Connections, Outcome, Session } from './session';
import { jsonLine } from './table';
import type { Terminal } from './terminal';
import { UnknownCommand } from './usage-error';

export interface Admin {
  terminal: Terminal;
  /** Called once a command is understood: help and slips of the keyboard need no environment. */
  open: () => Connections;
}

/** Options that every command takes. */
interface Always {
  json?: true;
  yes?: true;
  as?: string;
}

/** `args` are the words after the verb that are no options, in the order in which the verb declares them. */
export type Work<Options> = (session: Session, options: Options, ...args: string[]) => Promise<Outcome>;

export function noun(program: Command, name: string, summary: string): Command {
  const command = program
    .command(name)
    .summary(summary)
    .description(summary)
    .usage('<verb> [options]')
    .helpCommand(false);
  return command.on('command:*', ([verb]: string[]) => {
    throw new UnknownCommand([name, verb ?? '']);
  });
}

export function verb(of: Command, name: string, summary: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npm run -s admin -- ${of.name()} ${example}`);
  const head = lines.length === 1 ? 'Example:' : 'Examples:';
  return of
    .command(name)
    .summary(summary)
    .description(summary)
    .addHelpText('after', `\n${[head, ...lines].join('\n')}`);
}

/** `Options` are the verb's own, as its declarations read them. */
export function runs<Options>(command: Command, admin: Admin, work: Work<Options>): void {
  command.action(async () => {
    const options = command.optsWithGlobals<Options & Always>();
    const session: Session = {
      ...admin.open(),
      terminal: admin.terminal,
      actor: { kind: 'operator', id: options.as ?? userName(), requestId: null },
      isConfirmed: options.yes ?? false,
    };
    const { text, json } = await work(session, options, ...command.args);
    admin.terminal.print(options.json === true ? jsonLine(json) : text);
  });
}

/** A container's user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
