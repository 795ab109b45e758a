import { AudioStream, RemoteAudioTrack, type RemoteTrack } from '@livekit/rtc-node';
import { SAMPLE_RATE, type Samples } from '../audio/pcm';

/** Length of a window of the voice detector. With longer frames, the last window would wait for the next frame, 20 ms on average. */
const RECEIVED_FRAME_MS = 32;

export const isAudioTrack = (track: RemoteTrack): track is RemoteAudioTrack =>
  track instanceof RemoteAudioTrack;

/** Calls back with the samples of the track until it ends. */
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
