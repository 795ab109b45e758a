import { Command, CommanderError } from 'commander';
import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';
import { errorCode } from '../../db/kernel/error-code';
import { auditCommands } from './commands/audit';
import { campaignCommands } from './commands/campaign';
import { dndCommands } from './commands/dnd';
import { secretsCommands } from './commands/secrets';
import { UnknownCommand } from './session';
import { consoleCommands } from './commands/console';
import { keyCommands } from './commands/key';
import { mailCommands } from './commands/mail';
import { numberCommands } from './commands/number';
import { orgCommands } from './commands/org';
import { personCommands } from './commands/person';
import { secretCommands } from './commands/secret';
import { storageCommands } from './commands/storage';
import { webhookCommands } from './commands/webhook';
import { label, optionFault } from './option-values';
import type { Admin } from './verb';

const CALL = 'npm run admin --';

/** Parses and runs one command. Returns the exit status: 0, or 1 after an error message on standard error. */
export async function runCommandLine(args: readonly string[], admin: Admin): Promise<0 | 1> {
  const words = args.length === 0 || args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  try {
    await programOf(admin).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const sentence = wordsFor(error, words);
    if (sentence !== '') admin.terminal.note(sentence);
    return 1;
  }
}

function programOf(admin: Admin): Command {
  const { terminal } = admin;
  const program = new Command(CALL)
    .usage('<noun> <verb> [options]')
    .description('Manages organizations, their API keys and limits, and their campaigns.')
    // Must come before the commands below, which inherit it.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      // `runCommandLine` prints errors itself.
      outputError: () => undefined,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false)
    .option('--json', 'print one line of JSON instead of text')
    .option('--yes', 'do not ask for confirmation')
    .option('--as <name>', 'operator name for the audit log; default: the system user', label)
    .addHelpText(
      'after',
      `
"${CALL} <noun> --help" lists the verbs of a noun, "${CALL} <noun> <verb> --help" explains a verb.
--org takes the id of an organization, or its name if that is unique. Times are UTC.
Reads DATABASE_URL, SECRETS_KEY and SECRETS_KEY_PREVIOUS from the environment. "campaign", "person" and "webhook" also use TEMPORAL_ADDRESS and
TEMPORAL_NAMESPACE. "person" and "storage" also use DATA_DIR and S3_…, set as for the API.`,
    );
  program.on('command:*', (operands: string[]) => {
    throw new UnknownCommand(operands.slice(0, 2));
  });
  for (const declare of [
    orgCommands,
    keyCommands,
    consoleCommands,
    secretCommands,
    secretsCommands,
    dndCommands,
    numberCommands,
    campaignCommands,
    mailCommands,
    personCommands,
    storageCommands,
    webhookCommands,
    auditCommands,
  ]) {
    declare(program, admin);
  }
  return program;
}

/** Formats an error without repeating what the operator typed, because that may be a key or a phone number. */
function wordsFor(error: unknown, words: readonly string[]): string {
  // For a noun without a verb, commander has already printed the help.
  if (error instanceof CommanderError && error.code === 'commander.help') return '';
  if (error instanceof CommanderError) return `${optionFault(error)}\n${seeHelp(words)}`;
  if (error instanceof UnknownCommand) return `${error.message}\nSee: ${CALL} --help`;
  if (isDatabaseUnreachable(error)) return "Postgres isn't responding. Check DATABASE_URL";
  if (errorCode(error) === '42P01') return 'The database has no tables yet. Run "npm run migrate" first';
  if (errorCode(error) === '42703') return 'The database schema is out of date. Run "npm run migrate" first';
  return error instanceof Error ? error.message : String(error);
}

function seeHelp(words: readonly string[]): string {
  const [of, name] = words;
  const isVerb = [of, name].every((word) => word !== undefined && /^[a-z][a-z-]*$/.test(word));
  return isVerb ? `See: ${CALL} ${of} ${name} --help` : `See: ${CALL} --help`;
}
