export type RateKind = 'dispatch' | 'other';

/** Requests per minute of one organization; 0 means unlimited. A dispatch isn't counted in `otherPerMinute`. */
export interface RateLimitSettings {
  dispatchPerMinute: number;
  otherPerMinute: number;
}

export interface LimitedOrganization {
  id: string;
  /** Overrides for this organization; null uses the setting. */
  rateLimits?: { dispatchPerMinute: number | null; otherPerMinute: number | null };
}

/** Returns the organization's limits, or the configured ones where it has none. */
export function limitsOf(organization: LimitedOrganization, settings: RateLimitSettings): RateLimitSettings {
  const { dispatchPerMinute = null, otherPerMinute = null } = organization.rateLimits ?? {};
  return {
    dispatchPerMinute: dispatchPerMinute ?? settings.dispatchPerMinute,
    otherPerMinute: otherPerMinute ?? settings.otherPerMinute,
  };
}
