import { rm } from 'node:fs/promises';

/** With all that is in it, if it is there. What a process that is ending still writes may come into a folder that is being emptied. */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
