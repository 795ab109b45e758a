/**
 * The job of the two job queues, as their documentation suggests it. A job dials one contact, waits for the end of the call, and sends the
 * webhook. The queue runs as many jobs at once as there are lines, and repeats a job that failed.
 */
import { isJsonObject } from '../../../domain/json';
import { dial, sendWebhook, startEventsEndpoint } from './rival-program';

export const DIAL_QUEUE = 'dial';

export interface DialJob {
  campaign: string;
  /** Number of the contact, starting at 0. */
  nth: number;
}

const isDialJob = (payload: unknown): payload is DialJob =>
  isJsonObject(payload) && typeof payload.campaign === 'string' && typeof payload.nth === 'number';

/** Starts the endpoint for the carrier's events and returns the function that runs a job. */
export async function dialJobs(): Promise<(payload: unknown) => Promise<void>> {
  const waiting = new Map<string, () => void>();
  await startEventsEndpoint((reference) => Promise.resolve(waiting.get(reference)?.()));
  return async (payload) => {
    if (!isDialJob(payload)) throw new Error('the payload is not a job of this program');
    const callId = `${payload.campaign}-${payload.nth}`;
    const ended = new Promise<void>((resolve) => waiting.set(callId, resolve));
    await dial(payload.nth, callId);
    await ended;
    waiting.delete(callId);
    await sendWebhook(callId, `Call ${payload.nth} talked to its end.`);
  };
}
