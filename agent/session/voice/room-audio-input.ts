/** The SDK's audio input: the remote party's audio from the room. */
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import type { Samples } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';

export class RoomAudioInput extends voice.AudioInput {
  private controller: ReadableStreamDefaultController<SdkFrame> | null = null;

  constructor() {
    super();
    const received = new ReadableStream<SdkFrame>({
      start: (controller) => void (this.controller = controller),
    });
    this.multiStream.addInputStream(received);
  }

  push(samples: Samples): void {
    this.controller?.enqueue(frameOf(samples));
  }

  /** The end of the audio. */
  end(): void {
    this.controller?.close();
    this.controller = null;
  }
}
