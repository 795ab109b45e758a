/** A command that cannot be done as it was asked for; the message is one sentence that says why, for the person who typed it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export class UnknownCommand extends UsageError {
  override readonly name = 'UnknownCommand';

  constructor(words: readonly string[]) {
    super(`There is no command "${words.join(' ')}"`);
  }
}
