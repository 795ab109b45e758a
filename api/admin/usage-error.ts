/** A command that can't be run as typed. The message tells the operator why. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export class UnknownCommand extends UsageError {
  override readonly name = 'UnknownCommand';

  constructor(words: readonly string[]) {
    super(`There is no command "${words.join(' ')}"`);
  }
}
