/** Reads the options of this folder's commands and rejects unknown ones. */
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorCode } from '../db/kernel/error-code';
import { errorText } from './error-text';

/** The command line is invalid. The command has done nothing, and exits with status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

export const statusOf = (error: unknown): 1 | 2 => (error instanceof UsageFault ? 2 : 1);

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T }>>['values'];

/** Returns the values of the options. `command` is the command as the user types it, such as `npm run bench`; errors mention its help. */
export function readOptions<const T extends Options>(
  command: string,
  args: readonly string[],
  options: T,
): Values<T> {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageFault(`${sentenceFor(cause)}: see "${helpOf(command)}"`, { cause });
  }
}

/** npm only passes on options that come after `--`. */
const helpOf = (command: string): string => `${command} ${command.startsWith('npm ') ? '-- ' : ''}--help`;

function sentenceFor(error: unknown): string {
  const text = errorText(error);
  const named = /'([^']*)'/.exec(text)?.[1] ?? '';
  switch (errorCode(error)) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `Unknown option "${named}"`;
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `Unexpected argument "${named}"`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return /not take an argument/.test(text) ? `"${named}" takes no value` : `"${named}" has no value`;
    default:
      throw error;
  }
}

/**
 * Rejects a file that can't be written, before a long run starts.
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
