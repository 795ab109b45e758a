import { rm } from 'node:fs/promises';

/**
 * Removes a folder and its contents, if it exists. It retries, because a process that is shutting down may still write into the folder.
 */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
