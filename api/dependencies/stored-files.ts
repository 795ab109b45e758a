export { folderStorage, type FileStorage } from '../../runtime/storage/folder-storage';

export function contactFileKey(campaignId: string, format: string): string {
  return `${campaignId}.${format}`;
}

export function recordingKey(callId: string, format: 'wav' | 'ogg'): string {
  return `recordings/${callId}.${format}`;
}
