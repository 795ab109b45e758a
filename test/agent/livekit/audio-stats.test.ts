import { sinceLastAudioMs } from '../../../agent/livekit/audio-stats';

/** As LiveKit's bindings return it: WebRTC's instants in microseconds, those of packets in milliseconds. */
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

test('the newest audio packet counts, whichever connection received it', () => {
  expect(ageOf([inbound('audio', 9_000)])).toBe(1_000);
  expect(ageOf([inbound('audio', 4_000)], [inbound('audio', 9_500)])).toBe(500);
});

test('video, sent audio, and tracks without a packet are ignored', () => {
  expect(ageOf([outbound, inbound('video', 9_000), inbound('audio'), inbound('audio', 0)])).toBeNull();
  expect(ageOf([])).toBeNull();
});
