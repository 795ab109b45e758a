import type { JobContext } from '@livekit/agents';
import { Room } from '@livekit/rtc-node';
import type { RoomEntry } from './livekit-room';

/** The room that a job is about. */
export const entryOf = (job: JobContext): RoomEntry => ({
  name: job.job.room?.name ?? '',
  room: roomOf(job),
  connect: () => job.connect(),
});

/** The SDK's packages give their types twice, for either kind of module, and count the two as different. */
function roomOf(job: JobContext): Room {
  const room: unknown = job.room;
  if (room instanceof Room) return room;
  throw new Error('the SDKs do not agree on what a room is');
}
