/** What kind of call it is: how its remote party is reached, and who called whom, in the words of the interface. */
export const CALL_MEDIA = ['telephony', 'webrtc'] as const;
export type CallMedium = (typeof CALL_MEDIA)[number];

export const CALL_TYPES = ['Outbound', 'Inbound'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export const CALL_DIRECTIONS = ['Outbound', 'Incoming'] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];
