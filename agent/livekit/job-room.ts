import type { JobContext } from '@livekit/agents';
import { Room } from '@livekit/rtc-node';
import type { RoomEntry } from './livekit-room';

/** The room of a job. */
export const entryOf = (job: JobContext): RoomEntry => ({
  name: job.job.room?.name ?? '',
  room: roomOf(job),
  connect: () => job.connect(),
});

/** The SDK's packages declare their types once for CommonJS and once for ES modules, and TypeScript counts the two as different. */
function roomOf(job: JobContext): Room {
  const room: unknown = job.room;
  if (room instanceof Room) return room;
  throw new Error('the SDKs do not agree on what a room is');
}
