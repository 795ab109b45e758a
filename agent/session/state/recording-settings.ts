import { fillTemplate } from '../../../domain/template';
import type { CallContext } from '../../platform/call-context';

export interface RecordingSettings {
  isOn: boolean;
  /** Text to say before recording starts, with variables filled in; empty when there is none. */
  disclosure: string;
}

export function recordingSettingsOf({ agent, variables }: CallContext): RecordingSettings {
  const { enabled, disclosure } = agent.config.experience.settings.recording;
  return { isOn: enabled, disclosure: enabled ? fillTemplate(disclosure, variables).trim() : '' };
}
