export { folderStorage, type FileStorage } from '../../runtime/storage/folder-storage';

export function contactFileKey(campaignId: string, format: string): string {
  return `${campaignId}.${format}`;
}
