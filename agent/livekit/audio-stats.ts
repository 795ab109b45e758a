/**
 * Finds when audio last arrived, from WebRTC's statistics. Unless muted, senders send about fifty packets a second, even during silence.
 */
import type { Room } from '@livekit/rtc-node';

type Stats = Awaited<ReturnType<Room['getRtcStats']>>;

/** Milliseconds since the newest audio packet; null when none ever arrived. */
export function sinceLastAudioMs({ publisherStats, subscriberStats }: Stats): number | null {
  // If one connection serves both directions, the received tracks are in the publisher's statistics.
  const ages = [...publisherStats, ...subscriberStats].flatMap(({ stats }) => {
    if (stats.case !== 'inboundRtp' || stats.value.stream?.kind !== 'audio') return [];
    const { rtc, inbound } = stats.value;
    const lastMs = inbound?.lastPacketReceivedTimestamp ?? 0;
    return rtc?.timestamp === undefined || lastMs === 0 ? [] : [Number(rtc.timestamp) / 1000 - lastMs];
  });
  return ages.length === 0 ? null : Math.min(...ages);
}
