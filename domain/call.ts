/** Kinds of calls, named as in the interface (`medium`, `call_type` and `direction`). */
export const CALL_MEDIA = ['telephony', 'webrtc'] as const;
export type CallMedium = (typeof CALL_MEDIA)[number];

export const CALL_TYPES = ['Outbound', 'Inbound'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export const CALL_DIRECTIONS = ['Outbound', 'Incoming'] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

/** How far the platform has got with a call. `docs/architecture.md` lists the transitions. */
export type CallStage = 'claimed' | 'waiting' | 'granted' | 'requested' | 'placed' | 'over';

export const POST_PROCESSING_STATUSES = ['completed', 'not_processed', 'processing'] as const;
export type PostProcessingStatus = (typeof POST_PROCESSING_STATUSES)[number];
