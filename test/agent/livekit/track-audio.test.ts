import { sinceLastAudioMs } from '../../../agent/livekit/track-audio';

/** Formatted like the statistics of LiveKit's bindings: WebRTC times in microseconds, packet times in milliseconds. */
const inbound = (kind: string, lastMs?: number): any => ({
  stats: {
    case: 'inboundRtp',
    value: {
      rtc: { timestamp: 10_000_000n },
      stream: { kind },
      inbound: lastMs === undefined ? {} : { lastPacketReceivedTimestamp: lastMs },
    },
  },
});
const outbound: any = { stats: { case: 'outboundRtp', value: { stream: { kind: 'audio' } } } };
const ageOf = (publisherStats: any[], subscriberStats: any[] = []) =>
  sinceLastAudioMs({ publisherStats, subscriberStats } as never);

test('uses the newest audio packet of either connection', () => {
  expect(ageOf([inbound('audio', 9_000)])).toBe(1_000);
  expect(ageOf([inbound('audio', 4_000)], [inbound('audio', 9_500)])).toBe(500);
});

test('ignores video, sent audio, and tracks without packets', () => {
  expect(ageOf([outbound, inbound('video', 9_000), inbound('audio'), inbound('audio', 0)])).toBeNull();
  expect(ageOf([])).toBeNull();
});
