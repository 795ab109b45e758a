/** Runs in a container of the agent's image, which includes LiveKit's library. Joins a room as a browser would and waits for a voice. */
import { AudioStream, Room, RoomEvent, TrackKind, type RemoteTrack } from '@livekit/rtc-node';

const HEARD_WITHIN_MS = 30_000;
/** Louder than noise. The maximum is 32,767. */
const AUDIBLE = 500;

async function main(): Promise<void> {
  const [url = '', token = ''] = process.argv.slice(2);
  const startedAt = performance.now();
  const room = new Room();
  const heard = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('no voice was heard in time')), HEARD_WITHIN_MS);
    room.on(RoomEvent.TrackSubscribed, (track) => void listen(track).then(resolve, reject));
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const joined = since(startedAt);
  await heard;
  console.log(`joined after ${joined} s, the agent was heard after ${since(startedAt)} s`);
  await room.disconnect();
  process.exit(0);
}

/** Resolves when the track becomes louder than noise. */
async function listen(track: RemoteTrack): Promise<void> {
  if (track.kind !== TrackKind.KIND_AUDIO) return new Promise(() => undefined);
  for await (const { data } of new AudioStream(track, 16_000, 1)) {
    if (data.some((sample) => Math.abs(sample) > AUDIBLE)) return;
  }
  throw new Error('the track ended without a voice');
}

const since = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(1);

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
