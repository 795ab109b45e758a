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

export const STATUS_WORDS: Word<'status'> = { up: 'Working', degraded: 'Degraded', down: 'Down' };

export const STATUS_TONES: Word<'status'> = { up: 'good', degraded: 'wait', down: 'bad' };

const REASONS: Record<NonNullable<PartHealth['reason']>, string> = {
  no_answer: 'Not responding',
  refused: 'Rejecting the platform’s requests',
  read_only: 'Read-only',
  not_seen: 'No worker is polling',
  dials_fail: 'Your most recent calls failed',
};

export const reasonOf = ({ reason }: Pick<PartHealth, 'reason'>): string | null =>
  reason === null ? null : REASONS[reason];

/**
 * Derives the health from the response of `GET /readyz`. Without the database, `GET /api/health` can't check the API key. Returns null if
 * the database is up.
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
