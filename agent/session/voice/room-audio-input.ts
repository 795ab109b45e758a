/** The SDK's way in for sound: what the other side says, as the room hears it. */
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

  /** Nothing more is heard. */
  end(): void {
    this.controller?.close();
    this.controller = null;
  }
}
