/** When sound last came in, by WebRTC's statistics. Senders send some fifty packets a second, also of silence, unless they are muted. */
import type { Room } from '@livekit/rtc-node';

type Stats = Awaited<ReturnType<Room['getRtcStats']>>;

/** Milliseconds since the newest packet of sound; null where none ever came. */
export function sinceLastAudioMs({ publisherStats, subscriberStats }: Stats): number | null {
  // With one connection for both directions what comes in is among the publisher's.
  const ages = [...publisherStats, ...subscriberStats].flatMap(({ stats }) => {
    if (stats.case !== 'inboundRtp' || stats.value.stream?.kind !== 'audio') return [];
    const { rtc, inbound } = stats.value;
    const lastMs = inbound?.lastPacketReceivedTimestamp ?? 0;
    return rtc?.timestamp === undefined || lastMs === 0 ? [] : [Number(rtc.timestamp) / 1000 - lastMs];
  });
  return ages.length === 0 ? null : Math.min(...ages);
}
