/** What a tool is made of, and how it is registered: validation, confirmation, errors and log lines are the same for all. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Limits, VoiceAgentClient } from '../../sdk/typescript';
import { VALID_MS, type Confirmations } from '../confirmations';
import { failureCode, failureText } from '../failure-text';

export type Scope = Limits['scopes'][number];

/** What the tools of one key work with. */
export interface Session {
  client: VoiceAgentClient;
  keyHash: string;
  confirmations: Confirmations;
  log: Logger;
}

export interface Tool {
  name: string;
  /** Of the key; without it the tool is not listed. */
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

/** Changes nothing. */
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
        run: (args, signal) => tool.read(input.parse(args), session.client, signal),
      }),
  };
}

const confirmationToken = {
  confirmation_token: z
    .string()
    .optional()
    .describe('Leave it out first: the answer says what would happen and has the token to do it with'),
};

/** Shows first what it would do, and does it when the same arguments come again with the token of that answer. */
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
    /** Asks the API for what it can say beforehand; changes nothing. */
    foresee(args: Values<Input>, client: VoiceAgentClient, signal: AbortSignal): Promise<Values<Preview>>;
    carryOut(args: Values<Input>, client: VoiceAgentClient, idempotencyKey: string): Promise<Values<Result>>;
  },
): Tool {
  const input = z.strictObject(tool.input);
  const output = z.object({
    status: z.enum(['to_be_confirmed', 'done']),
    what_next: z.string(),
    would: z.object(tool.preview).optional(),
    confirmation_token: z.string().optional(),
    expires_at: z.string().optional(),
    result: z.object(tool.result).optional(),
  });
  const run = async (
    { client, keyHash, confirmations }: Session,
    given: unknown,
    signal: AbortSignal,
  ): Promise<object> => {
    const { confirmation_token: token, ...others } = z.looseObject(confirmationToken).parse(given);
    const args = input.parse(others);
    const subject = { keyHash, tool: tool.name, args };
    if (token !== undefined) {
      const result = await confirmations.carryOut(token, subject, (key) => tool.carryOut(args, client, key));
      return { status: 'done', what_next: 'It is done.', result };
    }
    const would = await tool.foresee(args, client, signal);
    const { token: confirmation_token, expiresAt } = confirmations.propose(subject);
    return {
      status: 'to_be_confirmed',
      what_next: `Nothing was done yet. Show this to the person. If they agree, call ${tool.name} with the same arguments and this confirmation_token within ${VALID_MS / 60_000} minutes.`,
      would,
      confirmation_token,
      expires_at: new Date(expiresAt).toISOString(),
    };
  };
  return {
    name: tool.name,
    scope: tool.scope,
    register: (server, session) =>
      register(server, session, tool, {
        input: z.strictObject({ ...tool.input, ...confirmationToken }),
        output,
        annotations: { readOnlyHint: false, ...tool.annotations },
        run: (args, signal) => run(session, args, signal),
      }),
  };
}

interface Registered {
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run: (args: unknown, signal: AbortSignal) => Promise<object>;
}

function register(
  server: McpServer,
  { log }: Session,
  { name, title, description }: Described<z.ZodRawShape>,
  { input, output, annotations, run }: Registered,
): void {
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (args, { signal }): Promise<CallToolResult> => {
    const startedAt = performance.now();
    const line = (fields: object): object => ({
      tool: name,
      duration_ms: Math.round(performance.now() - startedAt),
      ...fields,
    });
    try {
      const answer = await run(args, signal);
      log.info(line({ outcome: 'status' in answer ? answer.status : 'read' }), 'tool called');
      return { structuredContent: { ...answer }, content: [{ type: 'text', text: JSON.stringify(answer) }] };
    } catch (error) {
      log.warn(line({ outcome: 'failed', code: failureCode(error) }), 'tool called');
      return { isError: true, content: [{ type: 'text', text: failureText(error) }] };
    }
  });
}
