/** Contacts of a run: numbers of the simulator's table, each its own, because the simulator counts the calls to a number. */
import type { CampaignRecord } from './evidence';

/** No mobile series of the country begins with 62: the numbers are well formed and nobody's. */
const PREFIX = '+9162';

/** The n-th number of a run with this ending. */
export function numberOf(nth: number, ending: number): string {
  return `${PREFIX}${String(nth).padStart(6, '0')}${String(ending).padStart(2, '0')}`;
}

/** `row` as in the file, whose header is row 1. */
export function contactsOf(campaign: number, endings: readonly number[]): CampaignRecord['contacts'] {
  return endings.map((ending, index) => ({
    row: index + 2,
    name: `Contact ${index + 1}`,
    phone_number: numberOf((campaign + 1) * 1_000 + index, ending),
  }));
}

export const dispatchNumber = (index: number, ending: number): string => numberOf(900_000 + index, ending);

export const callerNumber = (index: number, ending: number): string => numberOf(950_000 + index, ending);

/** Of an organisation's own, which its agent answers. */
export const ownNumber = (organisation: number): string => numberOf(990_000 + organisation, 0);

export function contactCsv(contacts: CampaignRecord['contacts']): string {
  const lines = contacts.map(({ name, phone_number: number }) => `${name},${number},Pune`);
  return ['name,phone_number,city', ...lines, ''].join('\n');
}
