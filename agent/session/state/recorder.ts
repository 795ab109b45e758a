import type { Samples } from '../../audio/pcm';
import { errorName } from '../../log';
import { Recording } from '../../audio/recording';
import type { Call } from './call';
import { recordingSettingsOf, type RecordingSettings } from './recording-settings';

/** Records the conversation and uploads the recording. The conversation continues when recording fails. */
export class Recorder {
  private recording: Recording | null = null;
  private readonly settings: RecordingSettings;

  constructor(private readonly call: Pick<Call, 'platform' | 'callContext' | 'log'>) {
    this.settings = recordingSettingsOf(call.callContext);
  }

  /** Text to say before recording starts; empty when there is none. */
  get disclosure(): string {
    return this.settings.disclosure;
  }

  /** Starts recording at the answer, unless a disclosure has to be said first. */
  async answered(): Promise<void> {
    if (this.disclosure === '') await this.start();
  }

  async disclosed(): Promise<void> {
    await this.start();
  }

  private async start(): Promise<void> {
    if (!this.settings.isOn) return;
    try {
      this.recording = await Recording.start();
    } catch (error) {
      this.call.log.error({ error: errorName(error) }, 'the conversation is not being recorded');
    }
  }

  received(samples: Samples): void {
    this.recording?.received(samples);
  }

  played(samples: Samples): void {
    this.recording?.played(samples);
  }

  unplayed(ms: number): void {
    this.recording?.unplayed(ms);
  }

  /** Does nothing when nothing was recorded. */
  async deliver(): Promise<void> {
    const { recording, call } = this;
    if (recording === null) return;
    try {
      await recording.end();
      const outcome = await call.platform.storeRecording(call.callContext.callId, () => recording.content());
      if (outcome === 'kept') call.log.warn({}, 'the recording is kept on disk and will be uploaded later');
      else if (outcome !== 'stored') call.log.error({ outcome }, 'the recording was not uploaded');
    } catch (error) {
      call.log.error({ error: errorName(error) }, 'the recording was lost');
    } finally {
      await recording.discard();
    }
  }
}
