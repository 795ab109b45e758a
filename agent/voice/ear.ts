/** The SDK's way in for sound: what the other side says, as the room hears it. */
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { voice } from '@livekit/agents';
import type { Samples } from '../sound/pcm';
import { frameOf, type SdkFrame } from './frames';

export class Ear extends voice.AudioInput {
  private into: ReadableStreamDefaultController<SdkFrame> | null = null;

  constructor() {
    super();
    const heard = new ReadableStream<SdkFrame>({ start: (into) => void (this.into = into) });
    this.multiStream.addInputStream(heard);
  }

  hear(samples: Samples): void {
    this.into?.enqueue(frameOf(samples));
  }

  /** Nothing more is heard. */
  end(): void {
    this.into?.close();
    this.into = null;
  }
}
