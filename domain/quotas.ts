/**
 * Quotas on the data that an organization stores. Triggers maintain the totals (`db/functions/count_….sql`), so a check takes constant
 * time.
 */

const MIB = 1024 * 1024;

/** Defaults, which are far above normal use. 0 means no limit. */
export const QUOTA_DEFAULTS = {
  campaigns: 100_000,
  /** Contacts of lists, and rows of contact files until their retention period ends. */
  contacts: 10_000_000,
  /** Bytes of contact files, until their retention period ends or a person in them is erased. */
  contact_file_bytes: 20_480 * MIB,
  /** Excludes archived agents. */
  agents: 5_000,
  /** Bytes of all versions of all agents' configurations, plus kept conversations. */
  agent_bytes: 5_120 * MIB,
  webhook_deliveries: 50_000_000,
  dnd_numbers: 10_000_000,
} as const;

export type QuotaName = keyof typeof QUOTA_DEFAULTS;
export type Quotas = Readonly<Record<QuotaName, number>>;

export const QUOTA_NAMES = Object.keys(QUOTA_DEFAULTS) as readonly QuotaName[];

/** The largest integer that JSON represents exactly. */
const MAX_QUOTA = Number.MAX_SAFE_INTEGER;

/** Reads `contacts=5000000,agents=0`. Returns null for an unknown name or an invalid number. */
export function readQuotas(text: string): Partial<Quotas> | null {
  const read: Partial<Record<QuotaName, number>> = {};
  for (const pair of text.split(',')) {
    const [, name = '', digits = ''] = /^\s*(\w+)\s*=\s*(\d{1,16})\s*$/.exec(pair) ?? [];
    const quota = QUOTA_NAMES.find((known) => known === name);
    if (quota === undefined || Number(digits) > MAX_QUOTA) return null;
    read[quota] = Number(digits);
  }
  return read;
}
