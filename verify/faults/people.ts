/**
 * Creates the contacts of a run. Each has a different number from the simulator's table, because the simulator counts calls per number.
 */
import type { CampaignRecord } from './evidence';

/** No Indian mobile series begins with 62, so the numbers are well formed but unassigned. */
const PREFIX = '+9162';

function numberOf(nth: number, ending: number): string {
  return `${PREFIX}${String(nth).padStart(6, '0')}${String(ending).padStart(2, '0')}`;
}

/** `row` is the row in the file, whose header is row 1. */
export function contactsOf(campaign: number, endings: readonly number[]): CampaignRecord['contacts'] {
  return endings.map((ending, index) => ({
    row: index + 2,
    name: `Contact ${index + 1}`,
    phone_number: numberOf((campaign + 1) * 1_000 + index, ending),
  }));
}

/** Returns contacts for the nth append of a run. Their rows are known only once they are stored. */
export const appendedOf = (nth: number, endings: readonly number[]): CampaignRecord['contacts'] =>
  endings.map((ending, index) => ({
    row: 0,
    name: `Appended ${nth}-${index}`,
    phone_number: numberOf(500_000 + nth * 100 + index, ending),
    zones: ['Asia/Kolkata'],
  }));

export const dispatchNumber = (index: number, ending: number): string => numberOf(900_000 + index, ending);

export const callerNumber = (index: number, ending: number): string => numberOf(950_000 + index, ending);

/** Returns the number that the organization's agent answers. */
export const ownNumber = (organization: number): string => numberOf(990_000 + organization, 0);

export function contactCsv(contacts: CampaignRecord['contacts']): string {
  const lines = contacts.map(({ name, phone_number: number }) => `${name},${number},Pune`);
  return ['name,phone_number,city', ...lines, ''].join('\n');
}
