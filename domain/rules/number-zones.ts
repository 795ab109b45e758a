/** Time zones in which a phone number may be, from libphonenumber's map of prefixes. */
import { withoutTrunkPrefix } from '../phone-number';
import map from './number-zones.json';

const zonesByPrefix: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(map.prefixes).flatMap(([zones, prefixes]) => {
    const candidates = zones.split(' ');
    return prefixes.map((prefix) => [String(prefix), candidates] as const);
  }),
);

const LONGEST_PREFIX = Math.max(...[...zonesByPrefix.keys()].map((prefix) => prefix.length));

/**
 * Returns the zones of the longest known prefix, spelled as in the map, whatever the number's type. Returns none for numbers without a
 * country, such as those of satellite phones.
 */
export function zonesOfNumber(e164: string): readonly string[] {
  const digits = withoutTrunkPrefix(e164).slice(1);
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const zones = zonesByPrefix.get(digits.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return [];
}

/** All zones that the map names. */
export const zonesOfAllNumbers = (): string[] => [...new Set([...zonesByPrefix.values()].flat())];
