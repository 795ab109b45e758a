/** Time zones in which a phone number may be, from libphonenumber's map of prefixes. */
import { withoutTrunkPrefix } from '../phone-number';
import map from './number-zones.json';

/** Zones with the first of their prefixes, which stands for all of them. */
interface Area {
  zones: readonly string[];
  prefix: string;
}

const areasByPrefix: ReadonlyMap<string, Area> = new Map(
  Object.entries(map.prefixes).flatMap(([zones, prefixes]) => {
    const area = { zones: zones.split(' '), prefix: String(prefixes[0]) };
    return prefixes.map((prefix) => [String(prefix), area] as const);
  }),
);

const LONGEST_PREFIX = Math.max(...[...areasByPrefix.keys()].map((prefix) => prefix.length));

function areaOf(e164: string): Area | undefined {
  return areaOfDigits(withoutTrunkPrefix(e164).slice(1));
}

function areaOfDigits(digits: string): Area | undefined {
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const area = areasByPrefix.get(digits.slice(0, length));
    if (area !== undefined) return area;
  }
  return undefined;
}

/**
 * Returns the zones of the longest known prefix, spelled as in the map, whatever the number's type. Returns none for numbers without a
 * country, such as those of satellite phones.
 */
export const zonesOfNumber = (e164: string): readonly string[] => areaOf(e164)?.zones ?? [];

/** All zones that the map names. */
export const zonesOfAllNumbers = (): string[] => [
  ...new Set([...areasByPrefix.values()].flatMap(({ zones }) => zones)),
];

/** Key of contacts that are in no known zone. */
const NO_ZONE = '-';

/** Returns the key of a contact's zones: its own zone, or a prefix such as `+1212` whose numbers have the same zones. */
export const zoneKeyOf = ({ toNumber, timezone }: Place): string => timezone ?? keyOf(areaOf(toNumber));

/** Like `zoneKeyOf`, for a number from `normalisePhone`. It has no trunk prefix, so a million contacts take ten seconds less. */
export const zoneKeyOfNormalised = ({ toNumber, timezone }: Place): string =>
  timezone ?? keyOf(areaOfDigits(toNumber.slice(1)));

const keyOf = (area: Area | undefined): string => (area === undefined ? NO_ZONE : `+${area.prefix}`);

/** Fields of a contact that determine its zones. */
export interface Place {
  /** In E.164. */
  toNumber: string;
  timezone: string | null;
}

/** Returns all zones in which the contact may be. */
export const zonesOfPlace = ({ toNumber, timezone }: Place): readonly string[] =>
  timezone === null ? zonesOfNumber(toNumber) : [timezone];

/** Returns a place with the zones of the key. */
export const placeOfZoneKey = (key: string): Place =>
  key === NO_ZONE || key.startsWith('+')
    ? { toNumber: key, timezone: null }
    : { toNumber: '', timezone: key };
