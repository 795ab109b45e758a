import type { Recording } from '../../db/calls/recordings';

export const recordingPath = (callId: string): string => `/api/stream/${callId}`;

/** Changes when the recording is stored again. */
export const entityTag = ({ bytes, storedAt }: Pick<Recording, 'bytes' | 'storedAt'>): string =>
  `"${bytes}-${storedAt.getTime()}"`;
