/** Temporal did not answer in time. The API responds with 503. */
export class TemporalUnavailable extends Error {
  constructor(cause: unknown) {
    super('Temporal does not respond', { cause });
    this.name = 'TemporalUnavailable';
  }
}
