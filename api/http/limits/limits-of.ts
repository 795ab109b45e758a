export type RateKind = 'dispatch' | 'other';

/** Requests of one client in a minute. A dispatch counts as dispatch only; 0 is no limit. */
export interface RateLimitSettings {
  dispatchPerMinute: number;
  otherPerMinute: number;
}

export interface LimitedClient {
  id: string;
  /** Of its own; null takes the setting. */
  rateLimits?: { dispatchPerMinute: number | null; otherPerMinute: number | null };
}

/** What holds for the client: its own limits, and the settings where it has none. */
export function limitsOf(client: LimitedClient, settings: RateLimitSettings): RateLimitSettings {
  const { dispatchPerMinute = null, otherPerMinute = null } = client.rateLimits ?? {};
  return {
    dispatchPerMinute: dispatchPerMinute ?? settings.dispatchPerMinute,
    otherPerMinute: otherPerMinute ?? settings.otherPerMinute,
  };
}
