/** The machine lacks something or has a conflict. Nothing was changed, and the exit status is 2. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
