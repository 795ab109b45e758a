/** Reading what an agent's owner has stored: an older or newer release may have checked it, so no type is trusted. */
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';

export const textIn = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : '';

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== '') : [];

export const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Within the limits; null where there is no number. */
export function numberIn(value: unknown, { least, most }: { least: number; most: number }): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Math.min(Math.max(value, least), most);
}

/** Stored seconds as milliseconds. */
export function secondsAsMs(
  value: unknown,
  { least, most, unless }: { least: number; most: number; unless: number },
): number {
  return (numberIn(value, { least, most }) ?? unless) * 1000;
}
