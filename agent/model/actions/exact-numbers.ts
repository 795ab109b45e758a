/** Handles numbers in a tool call that a double could round. They keep the digits that the model wrote. */
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../domain/json';

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Every decimal number of 15 digits survives conversion to a double. */
const SAFE_DIGITS = 15;

/** A number as the model wrote it. */
class Digits {
  constructor(readonly text: string) {}
}
/** Marks digits inside JSON text. It is random, so neither a caller nor a model can produce it. */
const MARK = `digits ${randomUUID()} `;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/** Returns the JSON text with its inexact numbers as strings, or unchanged when it has none. Throws for invalid JSON. */
function quoteInexact(json: string): string {
  JSON.parse(json);
  return withInexact(json, (digits) => `"${digits}"`);
}

/** Parses JSON with inexact numbers as `Digits`. Throws for invalid JSON. */
function parseExact(json: string): unknown {
  JSON.parse(json);
  const marked = withInexact(json, (digits) => `"${MARK}${digits}"`);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new Digits(value.slice(MARK.length)) : value,
  );
}

/** Serialises to JSON, with the digits of each `Digits`. */
export const exactJson = (value: unknown): string => {
  const marked = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof Digits ? MARK + item.text : item,
  ) as string | undefined;
  return marked?.replace(MARKED, '$1') ?? 'null';
};

/** Returns the text that a template inserts for a value. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : exactJson(value);
}

/** Returns a copy with ordinary numbers in place of `Digits`. */
export const rounded = (value: unknown): unknown => JSON.parse(exactJson(value));

/** Whether a number that was already parsed may have lost digits. */
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
 * Keeps all digits of numbers in tool calls, by reading a call's text before the SDK parses it and rounds its numbers. The SDK's chat
 * history contains such numbers as strings.
 */
export class ExactArguments {
  private readonly kept = new Map<string, JsonObject>();

  /** Must run before the SDK reads the call. Text that is not valid JSON stays as it is. */
  keepDigits(call: { callId: string; args: string }): void {
    try {
      const quoted = quoteInexact(call.args);
      const exact = parseExact(call.args);
      if (quoted === call.args || !isJsonObject(exact)) return;
      call.args = quoted;
      this.kept.set(keyOf(call.callId, JSON.parse(quoted)), exact);
    } catch {
      // The SDK repairs such text. Numbers it may have rounded are rejected later.
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

/** Some providers reuse an id for several calls. */
const keyOf = (callId: string, args: unknown): string => `${callId} ${JSON.stringify(args)}`;
