import { tts } from '@livekit/agents';

/** Closing it takes away who listens for failures, also for ours, and then breaks off what is under way, which fails: that would be thrown. */
export class TtsFallback extends tts.FallbackAdapter {
  override async close(): Promise<void> {
    const closing = super.close();
    this.listen();
    await closing;
    this.listen();
  }

  private listen(): void {
    for (const one of this.ttsInstances) one.on('error', () => undefined);
  }
}
