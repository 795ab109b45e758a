/** The platform's clock. Processes follow the database's clock, tests use a virtual one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
