import { isDeepStrictEqual } from 'node:util';
import type { Revision, StoredAgentConfig } from '../../db/agents/changes';
import type { RouteChange } from '../../db/calls/inbound-routes';
import { inboundNumber, type SectionName } from '../../domain/agent-config';
import { SECTION_LIMITS } from '../../domain/agent-config/limits';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { agentStatus } from '../../domain/agent-status';
import { deepMerge } from '../../domain/effective-config';
import { answeringAgent } from '../../domain/inbound-call';
import { isJsonObject, type JsonObject } from '../../domain/json';
import { describeJsonFault, jsonFaults, type JsonFault } from '../../domain/json-faults';
import { destinationsIn, readTransferDestination, type TransferRules } from '../../domain/transfer';
import { countJsonValues } from '../http/input/json-values';
import {
  misdirectedSecrets,
  OTHER_ORIGIN,
  masked,
  NO_SECRET_STORED,
  textAt,
  type Place,
} from './config/secrets';
import { sizeFault } from './config/validate';

export interface SectionChange {
  section: SectionName;
  /** Validated by the section's schema. Deployment comes without its wrapping key. */
  change: JsonObject;
}

interface Wanted extends SectionChange {
  /** Places where the API client sent a mask, which keeps the stored secret. */
  masks?: readonly Place[];
  /** If omitted, transfer destinations aren't checked. */
  transferRules?: TransferRules;
}

interface RevisionRefusal {
  /** Path within the section. Default: the whole section. */
  place?: readonly (string | number)[];
  msg: string;
  type:
    | 'config.too_large'
    | 'config.not_mergeable'
    | 'token.masked'
    | 'token.other_origin'
    | 'transfer.destination'
    | JsonFault['kind'];
}

/**
 * Merges a change into the stored section. Returns a null revision if nothing changes. The result is valid except perhaps for its size,
 * because no schema rule spans two fields. A stored `null` means the default.
 */
export function reviseSection(
  { config: before }: Pick<StoredAgentConfig, 'config'>,
  { section, change, masks = [], transferRules }: Wanted,
): { revision: Revision | null } | { refusal: RevisionRefusal } {
  const stored = before[section];
  const place = masks.find((each) => textAt(stored, each) === '');
  if (place !== undefined) return { refusal: { place, msg: NO_SECRET_STORED, type: 'token.masked' } };
  const result = deepMerge(isJsonObject(stored) ? stored : {}, change);
  // A merge can create nesting or keys that neither section has alone.
  if ('fault' in result) return { refusal: { msg: result.fault, type: 'config.not_mergeable' } };
  const { merged } = result;
  if (isDeepStrictEqual(merged, stored)) return { revision: null };
  const [misdirected] = misdirectedSecrets(section, { before: stored, change, merged });
  if (misdirected !== undefined)
    return { refusal: { place: misdirected, msg: OTHER_ORIGIN, type: 'token.other_origin' } };
  const config = { ...before, [section]: merged };
  const refusal =
    limitExceededBy(section, merged) ??
    tooLarge(config) ??
    forbiddenTransfer(section, { change, merged, transferRules });
  if (refusal !== null) return { refusal };
  return { revision: { config, status: agentStatus(config), route: routeChange(before, config) } };
}

/** Replaces the whole configuration by a stored one. Returns null if they are equal. */
export const reviseWhole = (
  { config: before }: Pick<StoredAgentConfig, 'config'>,
  config: JsonObject,
): Revision | null =>
  isDeepStrictEqual(before, config)
    ? null
    : { config, status: agentStatus(config), route: routeChange(before, config) };

/** Masks the secrets before measuring, because their encrypted form is longer. Their own length was checked when they were sent. */
function limitExceededBy(section: SectionName, merged: JsonObject): RevisionRefusal | null {
  const [fault] = jsonFaults(masked(section, merged), { limits: SECTION_LIMITS[section], max: 1 });
  if (fault === undefined) return sizeFault(section, merged);
  return { place: fault.path, msg: describeJsonFault(fault), type: fault.kind };
}

function tooLarge(config: Record<string, unknown>): RevisionRefusal | null {
  const { bytes, values } = MAXIMA;
  const text = JSON.stringify(config);
  const type = 'config.too_large';
  if (Buffer.byteLength(text) > bytes) {
    return { msg: `would make the configuration larger than ${bytes} bytes as JSON`, type };
  }
  if (countJsonValues(text) > values) {
    return { msg: `would make the configuration contain more than ${values} values`, type };
  }
  return null;
}

/**
 * Checks the destinations of actions that only become transfers through the merge. Actions that the change doesn't name aren't checked.
 */
function forbiddenTransfer(
  section: SectionName,
  {
    change,
    merged,
    transferRules,
  }: { change: JsonObject; merged: JsonObject; transferRules: TransferRules | undefined },
): RevisionRefusal | null {
  if (section !== 'persona' || transferRules === undefined || !isJsonObject(change.actions)) return null;
  const { actions: named } = change;
  for (const { place, to } of destinationsIn('persona', merged)) {
    if (!Object.hasOwn(named, String(place[1]))) continue;
    const reading = readTransferDestination(to, transferRules);
    if ('fault' in reading) return { place, msg: reading.fault, type: 'transfer.destination' };
  }
  return null;
}

function routeChange(before: Record<string, unknown>, after: Record<string, unknown>): RouteChange {
  const number = inboundNumber(after);
  if (number !== inboundNumber(before)) {
    return number === null ? { kind: 'release' } : { kind: 'take', number };
  }
  const [said, says] = [before, after].map((config) => answeringAgent('', config));
  return number === null || isDeepStrictEqual(said, says) ? { kind: 'none' } : { kind: 'renew' };
}
