import { fillTemplate } from '../../../domain/template';
import type { Samples } from '../../audio/pcm';
import { Recording } from '../../audio/recording';
import { errorName } from '../../log';
import type { CallContext } from '../../platform/call-context';
import type { Call } from './call';

/** Records the conversation and uploads the recording. If recording fails, the conversation continues. */
export class Recorder {
  private recording: Recording | null = null;
  private readonly settings: RecordingSettings;

  constructor(private readonly call: Pick<Call, 'platform' | 'callContext' | 'log'>) {
    this.settings = recordingSettingsOf(call.callContext);
  }

  /** Text to speak before recording starts. Empty when there is none. */
  get disclosure(): string {
    return this.settings.disclosure;
  }

  /** Starts recording when the call is answered, unless a disclosure must be spoken first. */
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

  /** Does nothing when there is no recording. */
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

interface RecordingSettings {
  isOn: boolean;
  /** Text to speak before recording starts, with variables filled in. Empty when there is none. */
  disclosure: string;
}

function recordingSettingsOf({ agent, variables }: CallContext): RecordingSettings {
  const { enabled, disclosure } = agent.config.experience.settings.recording;
  return { isOn: enabled, disclosure: enabled ? fillTemplate(disclosure, variables).trim() : '' };
}
