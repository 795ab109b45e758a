/** What the agent and the API agree on about the recording of a call. */

/** An hour of two voices at 16 kHz is 220 MiB. */
export const MAX_RECORDING_BYTES = 256 * 1024 * 1024;

/** For a whole upload: the largest over ten megabits a second takes 215 s. */
export const RECORDING_UPLOAD_MS = 240_000;

/** How long a recording may wait on the agent's disk for a platform that does not take it. */
export const RECORDING_LATE_MS = 7 * 24 * 60 * 60 * 1000;
