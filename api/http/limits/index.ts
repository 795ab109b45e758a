export { limitsOf, type LimitedClient, type RateKind, type RateLimitSettings } from './limits-of';
export { rateLimits, type RateLimits } from './rate-limits';
