import { isDeepStrictEqual } from 'node:util';
import type { Revision, StoredAgentConfig } from '../../db/agent-changes';
import type { RouteChange } from '../../db/inbound-routes';
import { inboundNumber, type SectionName } from '../../workflows/domain/agent-config';
import { agentStatus } from '../../workflows/domain/agent-status';
import { deepMerge } from '../../workflows/domain/deep-merge';
import { answeringAgent } from '../../workflows/domain/inbound-call';
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';
import { NO_SECRET_STORED } from '../agent-config/secrets/masked';
import { textAt, type Place } from '../agent-config/secrets/places';

/** Of a whole configuration as JSON. A body is bounded, but merges into one section after another are not. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

export interface SectionChange {
  section: SectionName;
  /** Already checked by the section's schema, deployment without its wrapping key. */
  change: JsonObject;
}

export interface Wanted extends SectionChange {
  /** Where a mask was sent in place of a secret, which is kept. */
  masks?: readonly Place[];
}

export interface RevisionRefusal {
  /** Where it stands in the section; the whole of it unless given. */
  place?: Place;
  msg: string;
  type: 'config.too_large' | 'config.not_mergeable' | 'token.masked';
}

/**
 * Merges the change into the stored section; null where that changes nothing. What was stored is not checked again, as the schemas
 * tie no field to another: a merge of two valid sections is valid. Stored `null` reads as the default.
 */
export function reviseSection(
  { config: before }: Pick<StoredAgentConfig, 'config'>,
  { section, change, masks = [] }: Wanted,
): { revision: Revision | null } | { refusal: RevisionRefusal } {
  const stored = before[section];
  const place = masks.find((each) => textAt(stored, each) === '');
  if (place !== undefined) return { refusal: { place, msg: NO_SECRET_STORED, type: 'token.masked' } };
  const result = deepMerge(isJsonObject(stored) ? stored : {}, change);
  // Nesting or a key that only the merge brings about.
  if ('fault' in result) return { refusal: { msg: result.fault, type: 'config.not_mergeable' } };
  if (isDeepStrictEqual(result.merged, stored)) return { revision: null };
  const config = { ...before, [section]: result.merged };
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES) {
    const msg = `would make the configuration larger than ${MAX_CONFIG_BYTES} bytes`;
    return { refusal: { msg, type: 'config.too_large' } };
  }
  return { revision: { config, status: agentStatus(config), route: routeChange(before, config) } };
}

function routeChange(before: Record<string, unknown>, after: Record<string, unknown>): RouteChange {
  const number = inboundNumber(after);
  if (number !== inboundNumber(before)) {
    return number === null ? { kind: 'release' } : { kind: 'take', number };
  }
  const [said, says] = [before, after].map((config) => answeringAgent('', config));
  return number === null || isDeepStrictEqual(said, says) ? { kind: 'none' } : { kind: 'renew' };
}
