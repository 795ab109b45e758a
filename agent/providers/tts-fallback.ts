import { tts } from '@livekit/agents';

/** `close` removes the error listeners, ours too, and then cancels requests, whose errors would be thrown: they are listened to again. */
export class TtsFallback extends tts.FallbackAdapter {
  override async close(): Promise<void> {
    const closing = super.close();
    this.listen();
    await closing;
    this.listen();
  }

  private listen(): void {
    for (const candidate of this.ttsInstances) candidate.on('error', () => undefined);
  }
}
