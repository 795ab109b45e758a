import type { Samples } from '../../audio/pcm';
import { errorName } from '../../log';
import { Recording } from '../../audio/recording';
import type { CallContext } from './call-context';

/** Records the conversation from the answer on, and uploads it to the platform. The conversation continues when recording fails. */
export class Recorder {
  private recording: Recording | null = null;

  constructor(private readonly call: Pick<CallContext, 'platform' | 'brief' | 'log'>) {}

  async start(): Promise<void> {
    try {
      this.recording = await Recording.start();
    } catch (error) {
      this.call.log.error({ error: errorName(error) }, 'the conversation is not recorded');
    }
  }

  received(samples: Samples): void {
    this.recording?.received(samples);
  }

  played(samples: Samples): void {
    this.recording?.played(samples);
  }

  /** Without effect when nobody answered. */
  async deliver(): Promise<void> {
    const { recording, call } = this;
    if (recording === null) return;
    try {
      await recording.end();
      const isStored = await call.platform.storeRecording(call.brief.callId, () => recording.content());
      if (!isStored) call.log.error({}, 'the recording was not uploaded');
    } catch (error) {
      call.log.error({ error: errorName(error) }, 'the recording was lost');
    } finally {
      await recording.discard();
    }
  }
}
