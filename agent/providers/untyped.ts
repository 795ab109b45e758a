/** Reads a provider's settings and responses, which are not validated, so no type can be trusted. */
import { isJsonObject, type JsonObject } from '../../domain/json';

export const textIn = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : '';

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== '') : [];

export const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Clamps to the limits; null when the value is not a number. */
export function numberIn(value: unknown, { min, max }: { min: number; max: number }): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Math.min(Math.max(value, min), max);
}
