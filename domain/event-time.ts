/** Tolerated difference between the clocks of two hosts. Same rule: db/functions/believed_time.sql. */
export const CLOCK_TOLERANCE_MS = 5_000;
