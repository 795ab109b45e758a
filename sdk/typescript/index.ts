export { VoiceAgentClient, type ClientOptions } from './client';
export { captions, type CaptionOptions, type CaptionSocket } from './captions';
export { ApiError, CampaignRefused, ConnectionError, InputError } from './errors';
export { CALL_STATUSES, CAMPAIGN_STATUSES, CONTACT_STATES } from './generated';
export type { RetrySettings } from './retries';
export type * from './operations';
export type * from './generated';
