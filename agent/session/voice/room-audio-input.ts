/** The SDK's audio input: the user's audio from the room. */
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import type { NoiseSuppressor } from '../../audio/noise-suppressor';
import type { Samples } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';

export class RoomAudioInput extends voice.AudioInput {
  private controller: ReadableStreamDefaultController<SdkFrame> | null = null;

  /** Without a suppressor, the audio is passed on unchanged. */
  constructor(private readonly suppressor: Pick<NoiseSuppressor, 'process'> | null = null) {
    super();
    const received = new ReadableStream<SdkFrame>({
      start: (controller) => void (this.controller = controller),
    });
    this.multiStream.addInputStream(received);
  }

  push(samples: Samples): void {
    const heard = this.suppressor === null ? samples : this.suppressor.process(samples);
    if (heard.length > 0) this.controller?.enqueue(frameOf(heard));
  }

  /** Ends the audio. */
  end(): void {
    this.controller?.close();
    this.controller = null;
  }
}
