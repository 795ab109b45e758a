import { setTimeout as delay } from 'node:timers/promises';

/**
 * Imitates how server-sdk-go, and therefore livekit-sip, returns to a room after its connection was lost (`handleDisconnect` in its
 * `engine.go`).
 */

/** livekit-sip v1.10.0 first tries to resume and begins to rejoin about 2.5 s after the loss. */
export const RESUMES_WITHIN_MS = 2_500;
/** Includes the resume, which is the first attempt. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;

/** Pause after the n-th attempt. The attempts take place 2.5, 2.5, 2.8, 4, 6.7, 11.5, 19, 30, 45 and 64 s after the loss. */
export const pauseAfterMs = (attempt: number): number => attempt * attempt * PAUSE_MS;

/** Returns true once an attempt succeeds, or false if all failed or the call ended. */
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
