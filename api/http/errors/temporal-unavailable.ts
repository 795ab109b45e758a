/** Temporal did not answer within the deadline: a 503. */
export class TemporalUnavailable extends Error {
  constructor(cause: unknown) {
    super('Temporal does not answer', { cause });
    this.name = 'TemporalUnavailable';
  }
}
