/** The SDK's audio input: the remote party's audio from the room. */
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import type { Samples } from '../../audio/pcm';
import { frameOf, type SdkFrame } from '../../audio/sdk-frames';

export class RoomAudioInput extends voice.AudioInput {
  private controller: ReadableStreamDefaultController<SdkFrame> | null = null;

  constructor() {
    super();
    const heard = new ReadableStream<SdkFrame>({ start: (into) => void (this.controller = into) });
    this.multiStream.addInputStream(heard);
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
