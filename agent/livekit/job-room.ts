import type { JobContext } from '@livekit/agents';
import { Room } from '@livekit/rtc-node';
import type { RoomEntry } from './livekit-room';

export const entryOf = (job: JobContext): RoomEntry => ({
  name: job.job.room?.name ?? '',
  room: roomOf(job),
  connect: () => job.connect(),
});

/** Narrows the type: the SDK's packages declare it for CommonJS and again for ES modules, and TypeScript treats the two as different. */
function roomOf(job: JobContext): Room {
  const room: unknown = job.room;
  if (room instanceof Room) return room;
  throw new Error('the installed LiveKit packages have different room types');
}
