import { createRequire } from 'node:module';
import type * as LiveKit from 'livekit-server-sdk';

/** Loaded with the first request that needs it, not with the API. */
export const livekit = (): typeof LiveKit =>
  createRequire(__filename)('livekit-server-sdk') as typeof LiveKit;
