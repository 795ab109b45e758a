export { limitsOf, type LimitedOrganization, type RateKind, type RateLimitSettings } from './limits-of';
export { assertRoom, bytesOf, quotasOf } from './quotas';
export { RequestSlots } from './request-slots';
export { rateLimits, type RateLimits } from './rate-limits';
