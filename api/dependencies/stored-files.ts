export type { FileStorage } from '../../runtime/storage/file-storage';

export function contactFileKey(campaignId: string, format: string): string {
  return `${campaignId}.${format}`;
}
