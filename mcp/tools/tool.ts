/** Defines and registers tools. All tools share validation, confirmation, error handling and log lines. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Limits, VoiceAgentClient } from '../../sdk/typescript';
import {
  askPerson,
  canAskPerson,
  ConfirmationRejected,
  VALID_MS,
  type Asking,
  type Confirmation,
  type Confirmations,
} from '../confirmations';
import { failureCode, failureText } from '../failure-text';

export type Scope = Limits['scopes'][number];

/** Data that all tools of one key share. */
export interface Session {
  client: VoiceAgentClient;
  keyHash: string;
  confirmations: Confirmations;
  modelConfirms: boolean;
  log: Logger;
}

export interface Tool {
  name: string;
  /** Scope that the key needs. Without it, the tool isn't listed. */
  scope: Scope;
  register(server: McpServer, session: Session): void;
}

type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

interface Described<Input extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: Input;
}

/** Defines a read-only tool. */
export function reading<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  tool: Described<Input> & {
    output: Output;
    read(args: Values<Input>, client: VoiceAgentClient, signal: AbortSignal): Promise<Values<Output>>;
  },
): Tool {
  const input = z.strictObject(tool.input);
  return {
    name: tool.name,
    scope: 'read',
    register: (server, session) =>
      register(server, session, tool, {
        input,
        output: z.object(tool.output),
        annotations: { readOnlyHint: true, openWorldHint: false },
        run: (args, { signal }) => tool.read(input.parse(args), session.client, signal),
      }),
  };
}

const NO_PERSON =
  'A person must confirm this change, but this client does not support elicitation, so it cannot ask them. Nothing was done. Use a client with elicitation, or ask the operator of this server to set MCP_MODEL_CONFIRMS=true.';

const confirmationToken = {
  confirmation_token: z.string().optional().describe('Omit it unless this tool has returned one'),
};

const changeOutput = ({ preview, result }: { preview: z.ZodRawShape; result: z.ZodRawShape }) =>
  z.object({
    status: z.enum(['to_be_confirmed', 'declined', 'done']),
    what_next: z.string(),
    would: z.object(preview).optional(),
    confirmation_token: z.string().optional(),
    expires_at: z.string().optional(),
    result: z.object(result).optional(),
  });

const toBeConfirmed = (name: string, would: object, { token, expiresAt }: Confirmation): object => ({
  status: 'to_be_confirmed',
  what_next: `Nothing was done yet. Show this to the person. If they agree, call ${name} with the same arguments and this confirmation_token within ${VALID_MS / 60_000} minutes.`,
  would,
  confirmation_token: token,
  expires_at: new Date(expiresAt).toISOString(),
});

/**
 * Defines a tool that asks the person at the client before it changes anything. A client that can't ask gets a token for a second call, but
 * only if the change destroys nothing or the operator lets the model confirm.
 */
export function changing<
  Input extends z.ZodRawShape,
  Preview extends z.ZodRawShape,
  Result extends z.ZodRawShape,
>(
  tool: Described<Input> & {
    scope: Scope;
    annotations: ToolAnnotations;
    preview: Preview;
    result: Result;
    /** Asks the API for the effect of the change without making it. */
    predict(args: Values<Input>, client: VoiceAgentClient, signal: AbortSignal): Promise<Values<Preview>>;
    carryOut(args: Values<Input>, client: VoiceAgentClient, idempotencyKey: string): Promise<Values<Result>>;
  },
): Tool {
  const input = z.strictObject(tool.input);
  const output = changeOutput(tool);
  const run = async (
    server: McpServer,
    { client, keyHash, confirmations, modelConfirms }: Session,
    rawArgs: unknown,
    asking: Asking,
  ): Promise<object> => {
    const { confirmation_token: token, ...others } = z.looseObject(confirmationToken).parse(rawArgs);
    const args = input.parse(others);
    const subject = { keyHash, tool: tool.name, args };
    const carryOut = async (confirmed: string): Promise<object> => {
      const result = await confirmations.carryOut(confirmed, subject, (key) =>
        tool.carryOut(args, client, key),
      );
      return { status: 'done', what_next: 'The change was made.', result };
    };
    const asksPerson = canAskPerson(server);
    if (!asksPerson && !modelConfirms && tool.annotations.destructiveHint !== false)
      throw new ConfirmationRejected(NO_PERSON);
    if (!asksPerson && token !== undefined) return await carryOut(token);
    const would = await tool.predict(args, client, asking.signal);
    if (asksPerson) {
      if (!(await askPerson(server, { title: tool.title, args, would }, asking)))
        return { status: 'declined', what_next: 'The person declined, and nothing was done.', would };
      return await carryOut(confirmations.propose(subject).token);
    }
    return toBeConfirmed(tool.name, would, confirmations.propose(subject));
  };
  return {
    name: tool.name,
    scope: tool.scope,
    register: (server, session) =>
      register(server, session, tool, {
        input: z.strictObject({ ...tool.input, ...confirmationToken }),
        output,
        annotations: { readOnlyHint: false, ...tool.annotations },
        run: (args, asking) => run(server, session, args, asking),
      }),
  };
}

interface Registered {
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run: (args: unknown, asking: Asking) => Promise<object>;
}

function register(
  server: McpServer,
  { log }: Session,
  { name, title, description }: Described<z.ZodRawShape>,
  { input, output, annotations, run }: Registered,
): void {
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (args, asking): Promise<CallToolResult> => {
    const startedAt = performance.now();
    const line = (fields: object): object => ({
      tool: name,
      duration_ms: Math.round(performance.now() - startedAt),
      ...fields,
    });
    try {
      const answer = await run(args, asking);
      log.info(line({ outcome: 'status' in answer ? answer.status : 'read' }), 'tool called');
      return { structuredContent: { ...answer }, content: [{ type: 'text', text: JSON.stringify(answer) }] };
    } catch (error) {
      log.warn(line({ outcome: 'failed', code: failureCode(error) }), 'tool called');
      return { isError: true, content: [{ type: 'text', text: failureText(error) }] };
    }
  });
}
