/** The platform's clock. Processes follow the database's clock, and tests use a virtual clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
