/** Reads a contact from a JSON object or from the cells of a row. */
import type { NewListContact } from '../../db/contact-lists/imports';
import { isJsonObject } from '../../domain/json';
import { isLonger } from '../../domain/json-faults';
import { isTimeZone } from '../../domain/local-time';
import { normalisePhone, type PhoneRules } from '../../domain/phone-number';
import { zoneKeyOfNormalised } from '../../domain/rules/number-zones';
import { visibleText } from '../campaigns/contact-file/contacts';
import { MAX_CONTACT_NAME } from '../campaigns/contact-file/result';
import { readInstant } from '../http/input/fields';
import { MESSAGES } from '../http/schema/validate';
import { MAX_VARIABLES, MAX_VARIABLES_BYTES, variablesBytes } from '../http/schema/kinds';

/** Fields that a contact has in addition to name, phone number and metadata. */
export const EXTRA_FIELDS = ['external_id', 'timezone', 'language', 'consent_at', 'consent_source'] as const;
export type ExtraField = (typeof EXTRA_FIELDS)[number];

/** A contact whose fields haven't been checked. */
export type GivenContact = Readonly<
  Partial<Record<'name' | 'phone_number' | 'metadata' | ExtraField, unknown>>
>;

type Field = keyof GivenContact;

/** A field that is at fault. The reason contains nothing of its value. */
export type ContactFault = { column: Field; reason: string };

const MAX_TEXT = 255;
const MAX_LANGUAGE = 35;
const MAX_TIMEZONE = 64;

/** Thrown and caught within this file, so that each field is read in one expression. */
class Fault extends Error {
  constructor(readonly fault: ContactFault) {
    super(fault.reason);
  }
}

/** Returns the contact, or the first of its fields that is at fault. */
export function readListContact(given: GivenContact, rules: PhoneRules): NewListContact | ContactFault {
  const { stackTraceLimit } = Error;
  // A stack trace costs more than the rest of the row.
  Error.stackTraceLimit = 0;
  try {
    return read(given, rules);
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function read(given: GivenContact, rules: PhoneRules): NewListContact {
  const name = optionalText(given, 'name', MAX_CONTACT_NAME);
  if (name === null) throw new Fault({ column: 'name', reason: 'is empty' });
  const phoneNumber = numberOf(given, rules);
  const timezone = optionalText(given, 'timezone', MAX_TIMEZONE);
  if (timezone !== null && !isKnownZone(timezone))
    throw new Fault({ column: 'timezone', reason: MESSAGES['string.timeZone'] });
  return {
    externalId: optionalText(given, 'external_id', MAX_TEXT),
    name,
    phoneNumber,
    timezone,
    language: optionalText(given, 'language', MAX_LANGUAGE),
    consentAt: consentOf(given),
    consentSource: optionalText(given, 'consent_source', MAX_TEXT),
    metadata: metadataOf(given),
    zoneKey: zoneKeyOfNormalised({ toNumber: phoneNumber, timezone }),
  };
}

/** Returns null for a field that is absent, null or blank. */
function optionalText(given: GivenContact, column: Field, max: number): string | null {
  const value = given[column];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new Fault({ column, reason: MESSAGES['string.base'] });
  const text = visibleText(value);
  if (isLonger(text, max)) throw new Fault({ column, reason: `is longer than ${max} characters` });
  return text === '' ? null : text;
}

function numberOf({ phone_number: value = '' }: GivenContact, rules: PhoneRules): string {
  if (typeof value !== 'string') throw new Fault({ column: 'phone_number', reason: MESSAGES['string.base'] });
  // Spreadsheets use a leading apostrophe to store a number as text.
  const reading = normalisePhone(value.replace(/^\s*['\u2019]/, ''), rules);
  if ('fault' in reading) throw new Fault({ column: 'phone_number', reason: reading.fault });
  return reading.e164;
}

function consentOf(given: GivenContact): string | null {
  const text = optionalText(given, 'consent_at', MAX_TEXT);
  if (text === null) return null;
  const instant = readInstant(text);
  if (instant === null) throw new Fault({ column: 'consent_at', reason: MESSAGES['string.isoDate'] });
  return instant;
}

function metadataOf({ metadata }: GivenContact): object {
  if (metadata === undefined || metadata === null) return {};
  if (!isJsonObject(metadata)) throw new Fault({ column: 'metadata', reason: MESSAGES['object.base'] });
  if (Object.keys(metadata).length > MAX_VARIABLES)
    throw new Fault({ column: 'metadata', reason: `must have at most ${MAX_VARIABLES} keys` });
  if (variablesBytes(metadata) > MAX_VARIABLES_BYTES)
    throw new Fault({
      column: 'metadata',
      reason: `is larger than ${MAX_VARIABLES_BYTES / 1024} KiB as JSON`,
    });
  return metadata;
}

/** Zones that were looked up, because a lookup takes 30 µs and a file names the same ones in most rows. */
const knownZones = new Map<string, boolean>();
const MAX_KNOWN_ZONES = 2_000;

function isKnownZone(name: string): boolean {
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  if (knownZones.size >= MAX_KNOWN_ZONES) knownZones.clear();
  const isZone = isTimeZone(name);
  knownZones.set(name, isZone);
  return isZone;
}
