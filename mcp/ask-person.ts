import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { VALID_MS } from './confirmations';

const MOST_CHARACTERS = 4_000;

export interface Question {
  title: string;
  /** The arguments as they will be sent. */
  args: unknown;
  /** The outcome that the API predicts. */
  would: unknown;
}

/** The tool call that asks. The form is sent on its connection and withdrawn when it ends. */
export interface Asking {
  requestId: RequestId;
  signal: AbortSignal;
}

export const canAskPerson = (server: McpServer): boolean =>
  server.server.getClientCapabilities()?.elicitation?.form !== undefined;

/** Asks the person at the MCP client in a form, which the model does not see. Throws when there is no answer within five minutes. */
export async function askPerson(
  server: McpServer,
  question: Question,
  { requestId, signal }: Asking,
): Promise<boolean> {
  const { action, content } = await server.server.elicitInput(
    {
      mode: 'form',
      message: messageOf(question),
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean', title: 'Do it', default: false } },
        required: ['confirm'],
      },
    },
    { relatedRequestId: requestId, signal, timeout: VALID_MS },
  );
  return action === 'accept' && content?.confirm === true;
}

/** The effect comes first, because long arguments are cut. */
function messageOf({ title, args, would }: Question): string {
  const text = `${title}?\n\nThis would happen: ${JSON.stringify(would, null, 2)}\n\nWith: ${JSON.stringify(args, null, 2)}`;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
