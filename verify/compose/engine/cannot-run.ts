/** The machine lacks something, or something on it is in the way. The status is 2, and nothing was changed. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
