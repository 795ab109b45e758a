export { limitsOf, type LimitedClient, type RateKind, type RateLimitSettings } from './limits-of';
export { assertRoom, bytesOf, quotasOf } from './quotas';
export { rateLimits, type RateLimits } from './rate-limits';
