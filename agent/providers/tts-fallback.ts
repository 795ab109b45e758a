import { tts } from '@livekit/agents';

export class TtsFallback extends tts.FallbackAdapter {
  override async close(): Promise<void> {
    // The SDK loses some of its recovery timers and takes requests that `close` cancels for failures. Either would probe the voices for as
    // long as the process lives.
    Reflect.set(this, 'tryRecovery', () => undefined);
    // The SDK removes all error listeners, including ours, before it cancels requests. An `error` event without a listener is thrown.
    const closing = super.close();
    this.listen();
    await closing;
    this.listen();
  }

  private listen(): void {
    for (const candidate of this.ttsInstances) candidate.on('error', () => undefined);
  }
}
