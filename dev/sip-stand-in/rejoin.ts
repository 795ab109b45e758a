import { setTimeout as delay } from 'node:timers/promises';

/** How server-sdk-go, and so livekit-sip, comes back into a room that it has lost (`handleDisconnect` in its `engine.go`). */

/** It resumes first. Measured on livekit-sip v1.10.0: joining anew begins some two and a half seconds after the loss. */
export const RESUMES_WITHIN_MS = 2_500;
/** The first attempt is the resume. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;

/** After the n-th attempt: 2.5, 2.5, 2.8, 4, 6.7, 11.5, 19, 30, 45 and 64 s after the loss. */
export const pauseAfterMs = (attempt: number): number => attempt * attempt * PAUSE_MS;

/** Whether an attempt succeeded before the last one failed, or the call was over. */
export async function rejoin(
  join: () => Promise<void>,
  isOver: () => boolean,
  pause: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { ref: false }),
): Promise<boolean> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    if (isOver()) return false;
    try {
      await join();
      return true;
    } catch (error) {
      console.error(`sip stand-in: attempt ${attempt} to rejoin a room failed: ${String(error)}`);
    }
    if (attempt < ATTEMPTS - 1) await pause(pauseAfterMs(attempt));
  }
  return false;
}
