import { isJsonObject, type JsonObject } from '../../../domain/json';
import { parseExact, quoteInexact } from './exact-numbers';

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
