/** Tolerated difference between the clocks of two hosts. Same rule: `believed_time` in Postgres. */
export const CLOCK_TOLERANCE_MS = 5_000;
