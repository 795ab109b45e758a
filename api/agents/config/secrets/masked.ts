/** Answers show a mask for a secret, and a mask that is sent back stands for what is stored. */
import type { SectionName } from '../../../../domain/agent-config';
import type { JsonObject } from '../../../../domain/json';
import { SECRET_MASK } from '../../../../domain/secret-mask';
import { changedAt, secretPlaces, textAt, type Place } from './places';

/** Why a mask is refused. */
export const NO_SECRET_STORED =
  'is what answers show in place of a secret, and none is stored here: send the secret, or leave it out';

/** As answers show the section. */
export const masked = (name: SectionName, section: JsonObject): JsonObject =>
  changedAt(section, secretPlaces(name, section), () => SECRET_MASK);

/** A change without its masks: merged, it leaves what is stored. */
export const withoutMasks = (name: SectionName, change: JsonObject): JsonObject =>
  changedAt(change, maskedPlaces(name, change), () => undefined);

/** Where a mask stands in place of a secret. */
export const maskedPlaces = (name: SectionName, section: unknown): Place[] =>
  secretPlaces(name, section).filter((place) => textAt(section, place) === SECRET_MASK);
