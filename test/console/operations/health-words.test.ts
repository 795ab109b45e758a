import { PART_REASONS, PARTS, PART_STATUSES } from '../../../api/health/health';
import {
  PART_NAMES,
  partsOfProbe,
  reasonOf,
  STATUS_TONES,
  STATUS_WORDS,
} from '../../../console/src/operations/health-words';

describe('the health of the parts', () => {
  test('has a distinct text for every part, status and reason of the API', () => {
    expect(Object.keys(PART_NAMES).sort()).toEqual([...PARTS].sort());
    for (const words of [STATUS_WORDS, STATUS_TONES]) {
      expect(Object.keys(words).sort()).toEqual([...PART_STATUSES].sort());
    }
    expect(new Set(PART_REASONS.map((reason) => reasonOf({ reason }))).size).toBe(PART_REASONS.length);
    // Statuses must differ in their text too, not only in colour.
    expect(new Set(Object.values(STATUS_WORDS)).size).toBe(PART_STATUSES.length);
  });

  test('gives no reason for a part that works', () => expect(reasonOf({ reason: null })).toBeNull());

  test('reads from the readiness probe that the database is unreachable', () => {
    const lost = { status: 'down', reason: 'no_answer', since: null };
    const probe = { status: 'not ready', carrier_events: 'unreachable', temporal: 'ok' };
    expect(partsOfProbe(probe)).toEqual([
      { part: 'database', ...lost },
      { part: 'temporal', status: 'up', reason: null, since: null },
    ]);
    expect(partsOfProbe({ ...probe, temporal: 'unreachable' })).toEqual([
      { part: 'database', ...lost },
      { part: 'temporal', ...lost },
    ]);
  });

  test.each([[null], ['<html>'], [{}], [{ carrier_events: 'ok', temporal: 'ok' }]])(
    'returns null for the probe response %j, which reports no database failure',
    (probe) => expect(partsOfProbe(probe)).toBeNull(),
  );
});
