import { createRequire } from 'node:module';
import type * as LiveKit from 'livekit-server-sdk';

/** Loaded on first use to keep the API's start fast. */
export const livekit = (): typeof LiveKit =>
  createRequire(__filename)('livekit-server-sdk') as typeof LiveKit;
