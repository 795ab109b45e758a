/** Sends and receives the audio of tracks, and measures when audio last arrived. */
import {
  AudioFrame,
  type AudioSource,
  AudioStream,
  RemoteAudioTrack,
  type RemoteTrack,
  type Room,
} from '@livekit/rtc-node';
import { SAMPLE_RATE, samplesIn, type Samples } from '../audio/pcm';

const FRAME_MS = 20;
/** Matches the window of the voice detector. With longer frames, the end of a window would arrive 20 ms later on average. */
const RECEIVED_FRAME_MS = 32;

export const frameOf = (samples: Samples): AudioFrame =>
  new AudioFrame(samples, SAMPLE_RATE, 1, samples.length);

/** Resolves when all samples have been played. After an abort, resolves at the end of the current frame. */
export async function playSamples(voice: AudioSource, samples: Samples, signal: AbortSignal): Promise<void> {
  const length = samplesIn(FRAME_MS);
  for (let at = 0; at < samples.length && !signal.aborted; at += length) {
    const frame = new Int16Array(length);
    frame.set(samples.subarray(at, at + length));
    await voice.captureFrame(frameOf(frame));
  }
  if (signal.aborted) voice.clearQueue();
  else await voice.waitForPlayout();
}

export const isAudioTrack = (track: RemoteTrack): track is RemoteAudioTrack =>
  track instanceof RemoteAudioTrack;

/** Passes the track's samples to `onSamples` until the track ends. */
export function receiveAudio(track: RemoteAudioTrack, onSamples: (samples: Samples) => void): void {
  const stream = new AudioStream(track, {
    sampleRate: SAMPLE_RATE,
    numChannels: 1,
    frameSizeMs: RECEIVED_FRAME_MS,
  });
  void (async () => {
    for await (const frame of stream) onSamples(frame.data);
  })().catch(() => undefined);
}

type Stats = Awaited<ReturnType<Room['getRtcStats']>>;

/**
 * Returns the time since the newest audio packet from WebRTC's statistics, or null when none has arrived. Unless muted, senders send about
 * fifty packets per second, even during silence.
 */
export function sinceLastAudioMs({ publisherStats, subscriberStats }: Stats): number | null {
  // When one connection serves both directions, the publisher's statistics also contain the received tracks.
  const ages = [...publisherStats, ...subscriberStats].flatMap(({ stats }) => {
    if (stats.case !== 'inboundRtp' || stats.value.stream?.kind !== 'audio') return [];
    const { rtc, inbound } = stats.value;
    const lastMs = inbound?.lastPacketReceivedTimestamp ?? 0;
    return rtc?.timestamp === undefined || lastMs === 0 ? [] : [Number(rtc.timestamp) / 1000 - lastMs];
  });
  return ages.length === 0 ? null : Math.min(...ages);
}
