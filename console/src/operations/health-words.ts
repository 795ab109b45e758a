import type { PartHealth } from '../../../sdk/typescript/generated';

type Word<Key extends 'part' | 'status'> = Record<PartHealth[Key], string>;

export const PART_NAMES: Word<'part'> = {
  database: 'Database',
  temporal: 'Temporal',
  workers: 'Workers',
  storage: 'Stored files',
  livekit: 'LiveKit',
  carrier: 'Carrier',
};

export const STATUS_WORDS: Word<'status'> = { up: 'Works', degraded: 'Impaired', down: 'Down' };

export const STATUS_TONES: Word<'status'> = { up: 'good', degraded: 'wait', down: 'bad' };

const REASONS: Record<NonNullable<PartHealth['reason']>, string> = {
  no_answer: 'It does not respond',
  refused: 'It rejects the platform’s requests',
  read_only: 'It is read-only',
  not_seen: 'No worker is polling',
  dials_fail: 'Your latest calls failed',
};

export const reasonOf = ({ reason }: Pick<PartHealth, 'reason'>): string | null =>
  reason === null ? null : REASONS[reason];

/**
 * Derives the health from `GET /readyz`, because `GET /api/health` can't check the API key without the database. Returns null if the
 * database is up.
 */
export function partsOfProbe(probe: unknown): PartHealth[] | null {
  if (typeof probe !== 'object' || probe === null) return null;
  const { carrier_events: database, temporal } = probe as Record<string, unknown>;
  if (database !== 'unreachable') return null;
  const lost = { status: 'down', reason: 'no_answer', since: null } as const;
  const found = { status: 'up', reason: null, since: null } as const;
  return [
    { part: 'database', ...lost },
    { part: 'temporal', ...(temporal === 'ok' ? found : lost) },
  ];
}
