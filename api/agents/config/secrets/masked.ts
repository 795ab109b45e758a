/** Responses show a mask in place of each secret. A mask that is sent back keeps the stored secret. */
import type { SectionName } from '../../../../domain/agent-config';
import type { JsonObject } from '../../../../domain/json';
import { SECRET_MASK } from '../../../../domain/secret-mask';
import { changedAt, secretPlaces, textAt, type Place } from './places';

export const NO_SECRET_STORED =
  'is the mask that responses show in place of a secret, but no secret is stored here; send the secret or leave out the field';

/** Masks the secrets of a section. */
export const masked = (name: SectionName, section: JsonObject): JsonObject =>
  changedAt(section, secretPlaces(name, section), () => SECRET_MASK);

/** Removes masks from a change, so that merging it keeps the stored secrets. */
export const withoutMasks = (name: SectionName, change: JsonObject): JsonObject =>
  changedAt(change, maskedPlaces(name, change), () => undefined);

/** Returns the places of a section where a mask stands for a secret. */
export const maskedPlaces = (name: SectionName, section: unknown): Place[] =>
  secretPlaces(name, section).filter((place) => textAt(section, place) === SECRET_MASK);
