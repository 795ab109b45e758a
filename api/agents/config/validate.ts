import type Joi from 'joi';
import { SECTIONS, SECTION_NAMES, type AgentConfig, type SectionName } from '../../../domain/agent-config';
import { schemaOf } from '../../http/schema/table';
import { nullable, object, optional, type Field } from '../../http/schema/field';
import { SECTION_LIMITS } from '../../../domain/agent-config/limits';
import { MAXIMA } from '../../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { describeJsonFault, jsonFaults } from '../../../domain/json-faults';
import { destinationsIn, readTransferDestination, type TransferRules } from '../../../domain/transfer';
import type { Reading } from '../../http/endpoint';
import { type InputFault, ENOUGH_FAULTS } from '../../http/errors/api-error';
import { exposedSecrets } from './exposed-secrets';
import { maskedPlaces, NO_SECRET_STORED, secretPlaces } from './secrets';
import { MESSAGES } from '../../http/schema/validate';

export const sectionSchemas = {
  persona: schemaOf(SECTIONS.persona),
  training: schemaOf(SECTIONS.training),
  experience: schemaOf(SECTIONS.experience),
  analysis: schemaOf(SECTIONS.analysis),
  deployment: schemaOf(SECTIONS.deployment),
};

const { persona, training, experience, analysis, deployment } = sectionSchemas;

const MODIFIABLE_FIELDS = {
  persona: optional(nullable(persona)),
  training: optional(nullable(training)),
  experience: optional(nullable(experience)),
  analysis: optional(nullable(analysis)),
};

/** For the OpenAPI document. `validateAgentConfig` checks the same rules section by section with better messages. */
export const agentConfig = object(
  { ...MODIFIABLE_FIELDS, deployment: optional(nullable(deployment)) },
  { name: 'AgentConfig', description: 'Sections of the configuration, all optional' },
);

/** Like `agentConfig`, for a dispatch. */
export const modifyAgent = object(MODIFIABLE_FIELDS, {
  name: 'ModifyAgent',
  description: 'Merged over the stored configuration for this call only',
});

const BODY_CONFIG = ['body', 'config'];
const BODY_MODIFY_AGENT = ['body', 'modify_agent'];
const MODIFIABLE_SECTIONS: readonly SectionName[] = ['persona', 'training', 'experience', 'analysis'];

/**
 * Checks the `config` of create-agent and returns the supplied sections. Unwraps `deployment`, keeps unknown keys and omits sections that
 * are null.
 */
export function validateAgentConfig(config: unknown): Reading<AgentConfig> {
  return validateSections({ config: config ?? {}, allowed: SECTION_NAMES, loc: BODY_CONFIG });
}

/** Checks the `modify_agent` of a dispatch, which has the same sections except deployment. A null or missing value changes nothing. */
export function validateModifyAgent(change: unknown): Reading<AgentConfig> {
  return validateSections({ config: change ?? {}, allowed: MODIFIABLE_SECTIONS, loc: BODY_MODIFY_AGENT });
}

/** Checks one section. `loc` is its path in the request. */
export function validateSection(input: {
  name: SectionName;
  section: unknown;
  loc: readonly (string | number)[];
}): Reading<JsonObject> {
  const { name } = input;
  const unsafe = unsafeParts(name, input.section, input.loc);
  if (unsafe.length > 0) return { faults: unsafe };
  const section = name === 'deployment' ? unwrapped(input.section) : input.section;
  const loc = section === input.section ? input.loc : [...input.loc, 'deployment'];
  const faults = schemaFaults(sectionSchemas[name], section, loc, ENOUGH_FAULTS);
  if (faults.length > 0) return { faults };
  const exposed = exposedSecrets(name, section, { loc, max: ENOUGH_FAULTS });
  if (exposed.length > 0) return { faults: exposed };
  const value = isJsonObject(section) ? section : {};
  const tooLarge = sizeFault(name, value);
  return tooLarge === null ? { value } : { faults: [{ loc: [...loc], ...tooLarge }] };
}

/** Checks the size of a whole section, in a request and again after merging. */
export function sizeFault(
  name: SectionName,
  section: JsonObject,
): { msg: string; type: 'config.too_large' } | null {
  const { secrets, deploymentBytes } = MAXIMA;
  if (secretPlaces(name, section).length > secrets) {
    return {
      msg: `must contain at most ${secrets} secret tokens and headers`,
      type: 'config.too_large',
    };
  }
  if (name === 'deployment' && Buffer.byteLength(JSON.stringify(section)) > deploymentBytes) {
    return { msg: `must be at most ${deploymentBytes} bytes as JSON`, type: 'config.too_large' };
  }
  return null;
}

function validateSections(input: {
  config: unknown;
  allowed: readonly SectionName[];
  loc: readonly string[];
}): Reading<AgentConfig> {
  const { config, allowed, loc } = input;
  if (!isJsonObject(config))
    return { faults: [{ loc: [...loc], msg: 'must be an object', type: 'object.base' }] };
  const faults: InputFault[] = unknownSections(config, allowed, loc);
  const sections: JsonObject = {};
  for (const name of allowed) {
    if (faults.length >= ENOUGH_FAULTS) break;
    if (config[name] === undefined || config[name] === null) continue;
    const result = validateSection({ name, section: config[name], loc: [...loc, name] });
    if ('faults' in result) faults.push(...result.faults);
    else {
      faults.push(...maskFaults(name, result.value, [...loc, name]));
      sections[name] = result.value;
    }
  }
  return faults.length > 0 ? { faults } : { value: sections };
}

/** Rejects masks in a new configuration, because there are no stored secrets yet. */
const maskFaults = (name: SectionName, section: JsonObject, loc: readonly string[]): InputFault[] =>
  maskedPlaces(name, section).map((place) => ({
    loc: [...loc, ...place],
    msg: NO_SECRET_STORED,
    type: 'token.masked',
  }));

function unknownSections(
  config: JsonObject,
  allowed: readonly SectionName[],
  loc: readonly string[],
): InputFault[] {
  return Object.keys(config)
    .filter((key) => !allowed.some((name) => name === key))
    .slice(0, ENOUGH_FAULTS)
    .map((key) => ({
      loc: [...loc, key.slice(0, MAXIMA.key)],
      msg: `is not a section; the sections are ${allowed.join(', ')}`,
      type: 'object.unknown',
    }));
}

function unsafeParts(name: SectionName, section: unknown, loc: readonly (string | number)[]): InputFault[] {
  return jsonFaults(section, { limits: SECTION_LIMITS[name], max: ENOUGH_FAULTS }).map((fault) => ({
    loc: [...loc, ...fault.path],
    msg: describeJsonFault(fault),
    type: fault.kind,
  }));
}

/**
 * Removes the wrapping `deployment` key, which the section's own endpoint requires and create-agent allows. Keeps unknown keys next to it.
 */
function unwrapped(section: unknown): unknown {
  if (!isJsonObject(section) || !isJsonObject(section.deployment)) return section;
  const { deployment, ...beside } = section;
  return { ...beside, ...deployment };
}

/**
 * Rejects a configuration or a change that names a forbidden transfer destination. `locOf` returns the path of a section in the request.
 * Each transfer is checked again, because the rules may change.
 */
export function withoutForbiddenTransfers<T>(
  checked: Reading<T>,
  sectionsOf: (value: T) => AgentConfig,
  { rules, locOf }: { rules: TransferRules; locOf: (section: string) => readonly (string | number)[] },
): Reading<T> {
  if ('faults' in checked) return checked;
  const sections = sectionsOf(checked.value);
  const faults = (['persona', 'training'] as const).flatMap((name): InputFault[] => {
    const section = sections[name];
    return (isJsonObject(section) ? destinationsIn(name, section) : []).flatMap(({ place, to }) => {
      const reading = readTransferDestination(to, rules);
      if (!('fault' in reading)) return [];
      return [{ loc: [...locOf(name), ...place], msg: reading.fault, type: 'transfer.destination' }];
    });
  });
  return faults.length > 0 ? { faults: faults.slice(0, ENOUGH_FAULTS) } : checked;
}

const OPTIONS = { abortEarly: true, convert: false, errors: { label: false }, messages: MESSAGES } as const;

type Place = (string | number)[];

interface Search {
  faults: InputFault[];
  max: number;
}

/**
 * Returns up to `max` faults, at most one per field. joi stops at its first fault, because a body can have 20,000 faults and each takes 20
 * µs to find. The rest of the value is then validated field by field until enough faults are found.
 */
function schemaFaults(
  schema: Field<unknown>,
  value: unknown,
  loc: readonly (string | number)[],
  max: number,
): InputFault[] {
  const search: Search = { faults: [], max };
  const first = faultOf(schema, value);
  if (first !== undefined) collect(search, schema, value, [...loc], first.path);
  return search.faults;
}

const faultOf = (schema: Joi.Schema, value: unknown): Joi.ValidationErrorItem | undefined =>
  // A value can break several rules, but one message is enough.
  schema.validate(value, OPTIONS).error?.details[0];

/** `first` is the path of joi's first fault. joi validates in order, so everything before that path is valid. */
function collect(search: Search, schema: Joi.Schema, value: unknown, place: Place, first: Place): void {
  const fields = isJsonObject(value) ? fieldsOf(schema) : null;
  const entry = Array.isArray(value) ? entryOf(schema) : null;
  if (isJsonObject(value) && fields !== null) visitFields(search, fields, value, place, first);
  else if (Array.isArray(value) && entry !== null) visitEntries(search, entry, value, place, first);
  else {
    const fault = faultOf(schema, value);
    if (fault === undefined) return;
    search.faults.push({ loc: [...place, ...fault.path], msg: fault.message, type: fault.type });
  }
}

function visitFields(
  search: Search,
  fields: readonly [string, Joi.Schema][],
  value: object,
  place: Place,
  [firstKey, ...inner]: Place,
): void {
  const from = Math.max(
    0,
    fields.findIndex(([key]) => key === firstKey),
  );
  for (const [key, field] of fields.slice(from)) {
    if (search.faults.length >= search.max) return;
    collect(search, field, ownValue(value, key), [...place, key], key === firstKey ? inner : []);
  }
}

function visitEntries(
  search: Search,
  entry: Joi.Schema,
  list: readonly unknown[],
  place: Place,
  [firstIndex]: Place,
): void {
  for (let index = typeof firstIndex === 'number' ? firstIndex : 0; index < list.length; index += 1) {
    if (search.faults.length >= search.max) return;
    const fault = faultOf(entry, list[index]);
    if (fault !== undefined) collect(search, entry, list[index], [...place, index], fault.path);
  }
}

const ownValue = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;

/** joi's extension API. `extract` can't reach the entries of an array. */
interface Terms {
  keys?: { key: string; schema: Joi.Schema }[] | null;
  items?: Joi.Schema[] | null;
}

const termsOf = (schema: Joi.Schema): Terms => schema.$_terms as Terms;

function fieldsOf(schema: Joi.Schema): [string, Joi.Schema][] | null {
  const { keys } = termsOf(schema);
  return keys === undefined || keys === null ? null : keys.map((one) => [one.key, one.schema]);
}

/** Returns null if the entries can be anything. */
function entryOf(schema: Joi.Schema): Joi.Schema | null {
  const [entry] = termsOf(schema).items ?? [];
  return entry ?? null;
}
