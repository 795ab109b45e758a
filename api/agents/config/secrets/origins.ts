/** A stored secret belongs to the origin (scheme, host and port) that it was sent with. Changing a URL never sends it to another origin. */
import { SECTION_NAMES, type AgentConfig, type SectionName } from '../../../../domain/agent-config';
import { deepMerge } from '../../../../domain/effective-config';
import { isJsonObject, valueAt } from '../../../../domain/json';
import type { InputFault } from '../../../http/errors/api-error';
import { changedAt, secretPlaces, textAt, type Place } from './places';

export const OTHER_ORIGIN =
  'was stored for a different origin than the current `url`; send the secret again, or an empty string to remove it';

interface Merge {
  before: unknown;
  /** The change without masks. */
  change: unknown;
  merged: unknown;
}

/** Returns the secrets that a merge would keep although the origin of their URL has changed. */
export const misdirectedSecrets = (name: SectionName, { before, change, merged }: Merge): Place[] =>
  secretPlaces(name, merged)
    .filter((place) => textAt(change, place) === '')
    .filter((place) => {
      const origin = originAt(merged, place);
      return origin !== null && origin !== originAt(before, place);
    });

/** Returns faults if a dispatch would send the agent's secrets to another origin. */
export function misdirectedByDispatch(config: unknown, modifyAgent: AgentConfig): InputFault[] {
  const result = deepMerge(isJsonObject(config) ? config : {}, modifyAgent);
  if ('fault' in result) return [];
  return SECTION_NAMES.flatMap((name) =>
    misdirectedSecrets(name, mergeOf(name, config, modifyAgent, result.merged)).map((place) => ({
      loc: ['body', 'modify_agent', name, ...place],
      msg: OTHER_ORIGIN,
      type: 'token.other_origin',
    })),
  );
}

/** Removes secrets that would go to another origin, because the agent may have changed since the dispatch. */
export function withoutMisdirected(config: unknown, modifyAgent: unknown, merged: AgentConfig): AgentConfig {
  const kept: AgentConfig = { ...merged };
  for (const name of SECTION_NAMES) {
    const section = kept[name];
    if (!isJsonObject(section)) continue;
    const places = misdirectedSecrets(name, mergeOf(name, config, modifyAgent, merged));
    kept[name] = changedAt(section, places, () => undefined);
  }
  return kept;
}

const mergeOf = (name: SectionName, config: unknown, change: unknown, merged: unknown): Merge => ({
  before: valueAt(config, name),
  change: valueAt(change, name),
  merged: valueAt(merged, name),
});

const PLACEHOLDER = /\{\{[^{}]*\}\}/g;

/** Returns the origin that the secret is sent to; null without a URL. Variables are only allowed after the host. */
function originAt(section: unknown, place: Place): string | null {
  const holder = place[0] === 'actions' ? place.slice(0, 2) : place.slice(0, -1);
  const url = textAt(section, [...holder, 'url']).replace(PLACEHOLDER, 'x');
  return URL.canParse(url) ? new URL(url).origin : null;
}
