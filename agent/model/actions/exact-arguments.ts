import { isJsonObject, type JsonObject } from '../../../domain/json';
import { parseExact, quoteInexact } from './exact-numbers';

/**
 * Arguments of tool calls with all digits. The SDK parses the text of a call and rounds its numbers, so the text is read before. In the SDK's
 * history of the conversation the digits stand as a string.
 */
export class ExactArguments {
  private readonly kept = new Map<string, JsonObject>();

  /** Before the SDK reads the call. Text that is not valid JSON stays as it is. */
  keepDigits(call: { callId: string; args: string }): void {
    try {
      const quoted = quoteInexact(call.args);
      const exact = parseExact(call.args);
      if (quoted === call.args || !isJsonObject(exact)) return;
      call.args = quoted;
      this.kept.set(keyOf(call.callId, JSON.parse(quoted)), exact);
    } catch {
      // The SDK repairs such text, and a number that it may have rounded is refused.
    }
  }

  /** `args` as the SDK parsed them. */
  argumentsOf(callId: string, args: JsonObject): JsonObject {
    const key = keyOf(callId, args);
    const exact = this.kept.get(key);
    this.kept.delete(key);
    return exact ?? args;
  }
}

/** Some providers give several calls the same id. */
const keyOf = (callId: string, args: unknown): string => `${callId} ${JSON.stringify(args)}`;
