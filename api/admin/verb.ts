/** Declares nouns and verbs, and runs them. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type Connections, type Outcome, type Session, UnknownCommand } from './session';
import { jsonLine } from './table';
import type { Terminal } from './terminal';

export interface Admin {
  terminal: Terminal;
  /** Called only for a valid command, so that help and usage errors work without a configured environment. */
  open: () => Connections;
}

/** Options of every command. */
interface Always {
  json?: true;
  yes?: true;
  as?: string;
}

/** `args` are the positional arguments in order of declaration. */
type Work<Options> = (session: Session, options: Options, ...args: string[]) => Promise<Outcome>;

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

/** Sets what a verb does. `Options` are the verb's own options. */
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

/** In a container the user may have a numeric id but no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
