/** Keeps the digits of numbers in tool calls as the model wrote them, because converting them to a double could round them. */
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../domain/json';

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Every decimal number of 15 digits survives conversion to a double. */
const SAFE_DIGITS = 15;

/** A number as the model wrote it. */
class Digits {
  constructor(readonly text: string) {}
}
/** Marks digits inside JSON text. It is random so that neither a caller nor a model can imitate it. */
const MARKER = `digits ${randomUUID()} `;
const MARKED_DIGITS = new RegExp(`"${MARKER}([^"]*)"`, 'g');

/** Quotes each number in the JSON text that a double could round. Throws for invalid JSON. */
function quoteInexact(json: string): string {
  JSON.parse(json);
  return withInexact(json, (digits) => `"${digits}"`);
}

/** Parses JSON, with numbers that a double could round as `Digits`. Throws for invalid JSON. */
function parseExact(json: string): unknown {
  JSON.parse(json);
  const quoted = withInexact(json, (digits) => `"${MARKER}${digits}"`);
  return JSON.parse(quoted, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARKER) ? new Digits(value.slice(MARKER.length)) : value,
  );
}

/** Converts to JSON and writes the original digits of each `Digits`. */
export const exactJson = (value: unknown): string => {
  const quoted = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof Digits ? MARKER + item.text : item,
  ) as string | undefined;
  return quoted?.replace(MARKED_DIGITS, '$1') ?? 'null';
};

/** Converts a value to the text that replaces its placeholder in a template. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : exactJson(value);
}

/** Returns a copy in which ordinary numbers replace `Digits`. */
export const rounded = (value: unknown): unknown => JSON.parse(exactJson(value));

/** True if the value contains a number that may have lost digits when it was parsed. */
export function mayBeRounded(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(mayBeRounded);
  if (typeof value !== 'number') return false;
  return Math.abs(value) >= 10 ** SAFE_DIGITS || significantDigits(String(value)) > SAFE_DIGITS;
}

const withInexact = (json: string, become: (digits: string) => string): string =>
  json.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isExact(token) ? token : become(token),
  );

function isExact(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value) || String(value).includes('e')) return false;
  const digits = significantDigits(token);
  return value === 0 ? digits === 0 : digits <= SAFE_DIGITS && Math.abs(value) < 10 ** SAFE_DIGITS;
}

const significantDigits = (text: string): number =>
  text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').length;

/**
 * Keeps all digits of numbers in tool calls by reading the text of a call before the SDK parses it and rounds the numbers. In the SDK's
 * chat history, such numbers become strings.
 */
export class ExactArguments {
  private readonly kept = new Map<string, JsonObject>();

  /** Call this before the SDK reads the tool call. Invalid JSON is left unchanged. */
  keepDigits(call: { callId: string; args: string }): void {
    try {
      const quoted = quoteInexact(call.args);
      const exact = parseExact(call.args);
      if (quoted === call.args || !isJsonObject(exact)) return;
      call.args = quoted;
      this.kept.set(keyOf(call.callId, JSON.parse(quoted)), exact);
    } catch {
      // The SDK repairs invalid JSON. Numbers that this may have rounded are rejected later.
    }
  }

  /** `args` are the arguments as the SDK parsed them. */
  argumentsOf(callId: string, args: JsonObject): JsonObject {
    const key = keyOf(callId, args);
    const exact = this.kept.get(key);
    this.kept.delete(key);
    return exact ?? args;
  }
}

/** The id alone is not unique, because some providers reuse it for several calls. */
const keyOf = (callId: string, args: unknown): string => `${callId} ${JSON.stringify(args)}`;
