import type { SoughtPerson } from '../../db/campaigns/contacts';
import { ANY_NUMBER, normalisePhone } from '../../domain/phone-number';
import { about } from '../http/schema/field';
import { notBlank } from '../http/schema/kinds';

const MOST_SEARCH = 255;

/** Query strings aren't logged, so it may contain a name or number. */
export const personSearch = about(
  notBlank(MOST_SEARCH),
  'A phone number in any form that dispatch accepts, or the beginning of a name',
  'asha',
);

export function soughtPerson(search: string): SoughtPerson {
  const reading = normalisePhone(search, ANY_NUMBER);
  return 'e164' in reading ? { phoneNumber: reading.e164 } : { name: search.trim() };
}
