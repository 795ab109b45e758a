import { PART_REASONS, PARTS, PART_STATUSES } from '../../../api/health/part-health';
import {
  PART_NAMES,
  partsOfProbe,
  reasonOf,
  STATUS_TONES,
  STATUS_WORDS,
} from '../../../console/src/operations/health-words';

describe('the health of the parts in words', () => {
  test('names every part, status and reason that the API has, each in words of its own', () => {
    expect(Object.keys(PART_NAMES).sort()).toEqual([...PARTS].sort());
    for (const words of [STATUS_WORDS, STATUS_TONES]) {
      expect(Object.keys(words).sort()).toEqual([...PART_STATUSES].sort());
    }
    expect(new Set(PART_REASONS.map((reason) => reasonOf({ reason }))).size).toBe(PART_REASONS.length);
    // A colour alone would not do.
    expect(new Set(Object.values(STATUS_WORDS)).size).toBe(PART_STATUSES.length);
  });

  test('gives no reason for a part that works', () => expect(reasonOf({ reason: null })).toBeNull());

  test('takes from the probe that the database is away, without which no key is known', () => {
    const lost = { status: 'down', reason: 'no_answer', since: null };
    const probe = { status: 'not ready', carrier_events: 'away', temporal: 'ok' };
    expect(partsOfProbe(probe)).toEqual([
      { part: 'database', ...lost },
      { part: 'temporal', status: 'up', reason: null, since: null },
    ]);
    expect(partsOfProbe({ ...probe, temporal: 'away' })).toEqual([
      { part: 'database', ...lost },
      { part: 'temporal', ...lost },
    ]);
  });

  test.each([[null], ['<html>'], [{}], [{ carrier_events: 'ok', temporal: 'ok' }]])(
    'takes nothing from %j, where something else failed',
    (probe) => expect(partsOfProbe(probe)).toBeNull(),
  );
});
