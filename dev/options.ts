/** Reads the options of this folder's commands and rejects unknown ones. */
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { optionFault } from '../api/admin/option-values';
import { errorCode } from '../db/kernel/error-code';

/** The command line is invalid. The command hasn't done anything yet and exits with status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

export const statusOf = (error: unknown): 1 | 2 => (error instanceof UsageFault ? 2 : 1);

/** Declares a command. `name` is the command as the user types it, such as `npm run bench --`. */
export const commandOf = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({
      optionDescription: ({
        description,
        defaultValue,
      }: {
        description: string;
        defaultValue?: string | number | false;
      }) =>
        defaultValue === undefined || defaultValue === false
          ? description
          : `${description} (default ${defaultValue})`,
    })
    .exitOverride()
    // `readOptions` throws the error instead.
    .configureOutput({ outputError: () => undefined });

/** Returns the values of the options, or null after printing the help. @throws UsageFault that mentions the help */
export function readOptions<Values extends object>(command: Command, args: readonly string[]): Values | null {
  try {
    return command.parse(args, { from: 'user' }).opts<Values>();
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return null;
    throw new UsageFault(`${optionFault(cause)}: see "${command.name()} --help"`, { cause });
  }
}

/**
 * Throws if the file cannot be written, because a long run would otherwise lose its result.
 *
 * @throws UsageFault
 */
export async function checkWritable(option: string, file: string): Promise<void> {
  const folder = dirname(resolve(file));
  await access(folder, constants.W_OK).catch((cause: unknown) => {
    const why = errorCode(cause) === 'ENOENT' ? 'the folder does not exist' : 'the folder is not writable';
    throw new UsageFault(`${option} ${file} cannot be written: ${folder}: ${why}`, { cause });
  });
}
