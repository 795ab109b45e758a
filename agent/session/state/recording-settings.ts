import { fillTemplate } from '../../../domain/template';
import type { Brief } from '../../platform/brief';

export interface RecordingSettings {
  isOn: boolean;
  /** To be said before anything is recorded, with variables filled in; empty for nothing. */
  disclosure: string;
}

export function recordingSettingsOf({ agent, variables }: Brief): RecordingSettings {
  const { enabled, disclosure } = agent.config.experience.settings.recording;
  return { isOn: enabled, disclosure: enabled ? fillTemplate(disclosure, variables).trim() : '' };
}
