/** How the commands of this folder read their options, and what they do with those that they do not know. */
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorCode } from '../db/kernel/error-code';
import { errorText } from './error-text';

/** A command was given what it does not know, or not in that form: nothing was done, and the status is 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

export const statusOf = (error: unknown): 1 | 2 => (error instanceof UsageFault ? 2 : 1);

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T }>>['values'];

/**
 * The values of the options. `command` is what a person types, such as `npm run bench`.
 *
 * @throws UsageFault in one line that names the option and the command's help
 */
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

/** npm takes options for its own that do not stand behind `--`. */
const helpOf = (command: string): string => `${command} ${command.startsWith('npm ') ? '-- ' : ''}--help`;

function sentenceFor(error: unknown): string {
  const text = errorText(error);
  const named = /'([^']*)'/.exec(text)?.[1] ?? '';
  switch (errorCode(error)) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `There is no option "${named}"`;
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `"${named}" is no option`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return /not take an argument/.test(text) ? `"${named}" takes no value` : `"${named}" has no value`;
    default:
      throw error;
  }
}

/** Refuses a file that could not be written at the end of a long run. @throws UsageFault */
export async function checkWritable(option: string, file: string): Promise<void> {
  const folder = dirname(resolve(file));
  await access(folder, constants.W_OK).catch((cause: unknown) => {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such folder' : 'it may not be written to';
    throw new UsageFault(`${option} ${file} cannot be written: ${folder}: ${why}`, { cause });
  });
}
