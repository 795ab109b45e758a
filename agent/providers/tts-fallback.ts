import { tts } from '@livekit/agents';

export class TtsFallback extends tts.FallbackAdapter {
  override async close(): Promise<void> {
    // The SDK forgets some of its recovery timers, and takes requests that `close` cancels for failures. Both would probe the voices for ever.
    Reflect.set(this, 'tryRecovery', () => undefined);
    // The SDK removes every error listener, ours too, before it cancels requests, and an `error` event without a listener is thrown.
    const closing = super.close();
    this.listen();
    await closing;
    this.listen();
  }

  private listen(): void {
    for (const candidate of this.ttsInstances) candidate.on('error', () => undefined);
  }
}
