import { SECTION_NAMES, type AgentConfig, type SectionName } from '../../../domain/agent-config';
import { SECTION_LIMITS } from '../../../domain/agent-config/limits';
import { MAXIMA } from '../../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { describeJsonFault, jsonFaults } from '../../../domain/json-faults';
import { destinationsIn, readTransferDestination, type TransferRules } from '../../../domain/transfer';
import type { Reading } from '../../http/endpoint';
import type { InputFault } from '../../http/errors/api-error';
import { ENOUGH_FAULTS } from '../../http/input/faults';
import { schemaFaults } from './schema-faults';
import { sectionSchemas } from './schemas';
import { exposedSecrets } from './secrets/exposed';
import { maskedPlaces, NO_SECRET_STORED, secretPlaces } from './secrets/places';

const BODY_CONFIG = ['body', 'config'];
const BODY_MODIFY_AGENT = ['body', 'modify_agent'];
const MODIFIABLE: readonly SectionName[] = ['persona', 'training', 'experience', 'analysis'];

/**
 * Checks the `config` of create-agent and returns the supplied sections. Unwraps `deployment`, keeps unknown keys and omits sections that
 * are null.
 */
export function validateAgentConfig(config: unknown): Reading<AgentConfig> {
  return validateSections({ config: config ?? {}, allowed: SECTION_NAMES, loc: BODY_CONFIG });
}

/** Checks the `modify_agent` of a dispatch, which has the same sections except deployment. A null or missing value changes nothing. */
export function validateModifyAgent(change: unknown): Reading<AgentConfig> {
  return validateSections({ config: change ?? {}, allowed: MODIFIABLE, loc: BODY_MODIFY_AGENT });
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
