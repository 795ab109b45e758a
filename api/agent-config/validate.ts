import type Joi from 'joi';
import { SECTION_NAMES, type AgentConfig, type SectionName } from '../../workflows/domain/agent-config';
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';
import { describeJsonFault, jsonFaults } from '../../workflows/domain/json-faults';
import type { Field, ValueOf } from '../schema/field';
import { MESSAGES } from '../schema/messages';
import { maskedPlaces, NO_SECRET_STORED } from './secrets/masked';
import { analysisSchema } from './analysis';
import { deploymentSchema, isWrapped, unwrapDeployment } from './deployment';
import { experienceSchema } from './experience';
import { personaSchema } from './persona';
import { trainingSchema } from './training';

/** One entry of a 422's `detail`. */
export type ConfigFault = { loc: (string | number)[]; msg: string; type: string };
export type Validated<T> = { value: T } | { faults: ConfigFault[] };

export const sectionSchemas = {
  persona: personaSchema,
  training: trainingSchema,
  experience: experienceSchema,
  analysis: analysisSchema,
  deployment: deploymentSchema,
} satisfies Record<SectionName, Field<unknown>>;

/** What the schemas say of a configuration: it is all that calls read of it, and more. */
type CheckedConfig = { [Name in SectionName]?: ValueOf<(typeof sectionSchemas)[Name]> };

/** Enough to correct a body by; a hostile one could have a fault per byte. */
const MAX_FAULTS = 100;
const BODY_CONFIG = ['body', 'config'];
const BODY_MODIFY_AGENT = ['body', 'modify_agent'];
const MODIFIABLE: readonly SectionName[] = ['persona', 'training', 'experience', 'analysis'];

/**
 * Checks create-agent's `config`. The value holds the sections that were sent, deployment without its
 * wrapping key, and every key the service does not know untouched; a section sent as null is left out.
 */
export function validateAgentConfig(config: unknown): Validated<AgentConfig> {
  return validateSections({ config: config ?? {}, allowed: SECTION_NAMES, loc: BODY_CONFIG });
}

/** Checks a dispatch's `modify_agent`: the same sections but deployment. Null and absent change nothing. */
export function validateModifyAgent(change: unknown): Validated<AgentConfig> {
  return validateSections({ config: change ?? {}, allowed: MODIFIABLE, loc: BODY_MODIFY_AGENT });
}

/** Checks one section as it would be stored; `loc` is where it stands in the request. */
export function validateSection(input: {
  name: SectionName;
  section: unknown;
  loc: readonly (string | number)[];
}): Validated<JsonObject> {
  const unsafe = unsafeParts(input.section, input.loc);
  if (unsafe.length > 0) return { faults: unsafe };
  const wrapped = input.name === 'deployment' && isWrapped(input.section);
  const loc = wrapped ? [...input.loc, 'deployment'] : input.loc;
  const section = wrapped ? unwrapDeployment(input.section) : input.section;
  const result = sectionSchemas[input.name].validate(section, {
    abortEarly: false,
    convert: false,
    errors: { label: false },
    messages: MESSAGES,
  });
  if (result.error === undefined) return { value: isJsonObject(section) ? section : {} };
  const details = firstPerPlace(result.error.details).slice(0, MAX_FAULTS);
  return { faults: details.map((detail) => faultOf(detail, loc)) };
}

function validateSections(input: {
  config: unknown;
  allowed: readonly SectionName[];
  loc: readonly string[];
}): Validated<AgentConfig> {
  const { config, allowed, loc } = input;
  if (!isJsonObject(config))
    return { faults: [{ loc: [...loc], msg: 'must be an object', type: 'object.base' }] };
  const faults = unknownSections(config, allowed, loc);
  const sections: JsonObject = {};
  for (const name of allowed) {
    if (config[name] === undefined || config[name] === null) continue;
    const result = validateSection({ name, section: config[name], loc: [...loc, name] });
    if ('faults' in result) faults.push(...result.faults);
    else {
      faults.push(...maskFaults(name, result.value, [...loc, name]));
      sections[name] = result.value;
    }
  }
  const checked: CheckedConfig = sections;
  return faults.length > 0 ? { faults: faults.slice(0, MAX_FAULTS) } : { value: checked };
}

/** There is no stored secret that a mask could stand for. */
const maskFaults = (name: SectionName, section: JsonObject, loc: readonly string[]): ConfigFault[] =>
  maskedPlaces(name, section).map((place) => ({
    loc: [...loc, ...place],
    msg: NO_SECRET_STORED,
    type: 'token.masked',
  }));

function unknownSections(
  config: JsonObject,
  allowed: readonly SectionName[],
  loc: readonly string[],
): ConfigFault[] {
  return Object.keys(config)
    .filter((key) => !allowed.some((name) => name === key))
    .slice(0, MAX_FAULTS)
    .map((key) => ({
      loc: [...loc, key],
      msg: `is not a section; sections are ${allowed.join(', ')}`,
      type: 'object.unknown',
    }));
}

function unsafeParts(section: unknown, loc: readonly (string | number)[]): ConfigFault[] {
  const faults: ConfigFault[] = [];
  for (const fault of jsonFaults(section)) {
    faults.push({ loc: [...loc, ...fault.path], msg: describeJsonFault(fault.kind), type: fault.kind });
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

function faultOf(detail: Joi.ValidationErrorItem, loc: readonly (string | number)[]): ConfigFault {
  return { loc: [...loc, ...detail.path], msg: detail.message, type: detail.type };
}

/** One wrong value can break several rules; the first says enough. */
function firstPerPlace(details: readonly Joi.ValidationErrorItem[]): Joi.ValidationErrorItem[] {
  const places = new Map<string, Joi.ValidationErrorItem>();
  for (const detail of details) {
    const place = JSON.stringify(detail.path);
    if (!places.has(place)) places.set(place, detail);
  }
  return [...places.values()];
}
