/** Quotas bound the data that an organization stores. Triggers keep each total (`db/functions/count_….sql`), so that a check does not grow with it. */

const MIB = 1024 * 1024;

/** The default of each quota, far above normal use; 0 is no limit. */
export const QUOTA_DEFAULTS = {
  campaigns: 100_000,
  /** Rows of contact files count until they are past their retention. */
  contacts: 10_000_000,
  /** A file counts until it is past its retention, or a person of it is erased. */
  contact_file_bytes: 20_480 * MIB,
  /** Archived ones don't count. */
  agents: 5_000,
  /** Configurations of all versions of all agents, and kept conversations. */
  agent_bytes: 5_120 * MIB,
  webhook_deliveries: 50_000_000,
  dnd_numbers: 10_000_000,
} as const;

export type QuotaName = keyof typeof QUOTA_DEFAULTS;
export type Quotas = Readonly<Record<QuotaName, number>>;

export const QUOTA_NAMES = Object.keys(QUOTA_DEFAULTS) as readonly QuotaName[];

/** The largest quota: JSON counts exactly so far. */
export const MOST_QUOTA = Number.MAX_SAFE_INTEGER;

/** Reads `contacts=5000000,agents=0`. Null for a name or a number that is none. */
export function readQuotas(text: string): Partial<Quotas> | null {
  const read: Partial<Record<QuotaName, number>> = {};
  for (const pair of text.split(',')) {
    const [, name = '', digits = ''] = /^\s*(\w+)\s*=\s*(\d{1,16})\s*$/.exec(pair) ?? [];
    const quota = QUOTA_NAMES.find((known) => known === name);
    if (quota === undefined || Number(digits) > MOST_QUOTA) return null;
    read[quota] = Number(digits);
  }
  return read;
}
