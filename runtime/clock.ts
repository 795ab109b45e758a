/** What time it is for the platform: processes read the database's clock, tests one of their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
