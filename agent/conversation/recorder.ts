import { Recording } from '../sound/recording';
import type { Samples } from '../sound/pcm';
import type { HeldCall } from './call';

/** Keeps what is said from the answer on, and gives it to the platform. A conversation goes on where it cannot be kept. */
export class Recorder {
  private recording: Recording | null = null;

  constructor(private readonly call: Pick<HeldCall, 'platform' | 'brief' | 'log'>) {}

  async begin(): Promise<void> {
    try {
      this.recording = await Recording.begin();
    } catch (error) {
      this.call.log.error({ error }, 'the conversation is not recorded');
    }
  }

  heard(samples: Samples): void {
    this.recording?.heard(samples);
  }

  played(samples: Samples): void {
    this.recording?.played(samples);
  }

  /** Without effect where nobody answered. */
  async deliver(): Promise<void> {
    const { recording, call } = this;
    if (recording === null) return;
    try {
      await recording.end();
      const isStored = await call.platform.storeRecording(call.brief.callId, () => recording.content());
      if (!isStored) call.log.error({}, 'the API did not take the recording');
    } catch (error) {
      call.log.error({ error }, 'the recording was lost');
    } finally {
      await recording.discard();
    }
  }
}
