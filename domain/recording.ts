/** Limits for recordings, shared by the agent and the API. */

/** An hour in stereo at 16 kHz takes 220 MiB. */
export const MAX_RECORDING_BYTES = 256 * 1024 * 1024;

/** Time limit of an upload. The largest recording takes 215 s at 10 Mbit/s. */
export const RECORDING_UPLOAD_MS = 240_000;

/** How long the agent keeps a recording on disk while the platform doesn't accept it. */
export const RECORDING_LATE_MS = 7 * 24 * 60 * 60 * 1000;
