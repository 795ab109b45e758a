/** The MCP server over HTTP in this process, and the SDK's client connected to it. */
import { Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import pino from 'pino';
import { Confirmations } from '../../../mcp/confirmations';
import { serve } from '../../../mcp/http/serve';

/** The result of a tool call: its structured content or its error text. */
export interface ToolAnswer {
  answer: any;
  error: string | null;
}

export type Person = (message: string) => ElicitResult | Promise<ElicitResult>;

export class McpConnection {
  private constructor(private readonly client: Client) {}

  /** `person` answers the server's forms. Without it, the client doesn't support elicitation. */
  static async over(transport: Transport, person?: Person): Promise<McpConnection> {
    const capabilities = person === undefined ? {} : { elicitation: {} };
    const client = new Client({ name: 'test', version: '1' }, { capabilities });
    if (person !== undefined)
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => await person(params.message));
    await client.connect(transport);
    return new McpConnection(client);
  }

  /** Lists the tools. Afterwards the client checks each result against the tool's declared schema. */
  async tools() {
    return (await this.client.listTools()).tools;
  }

  async call(name: string, args: object = {}): Promise<ToolAnswer> {
    const result = await this.client.callTool({ name, arguments: { ...args } });
    const [first] = result.content as { text: string }[];
    return result.isError === true
      ? { answer: undefined, error: first?.text ?? '' }
      : { answer: result.structuredContent, error: null };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export interface McpRig {
  url: URL;
  lines: string[];
  connect(key: string, person?: Person): Promise<McpConnection>;
  close(): Promise<void>;
}

export async function openMcp(apiUrl: string, { modelConfirms = false } = {}): Promise<McpRig> {
  const lines: string[] = [];
  const log = pino(
    { level: 'debug' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    }),
  );
  const confirmations = new Confirmations();
  const options = { apiUrl, confirmations, modelConfirms, log, host: '127.0.0.1', port: 0, allowedHosts: [] };
  const serving = await serve(options);
  const url = new URL(`http://127.0.0.1:${serving.port}/mcp`);
  const connections: McpConnection[] = [];
  return {
    url,
    lines,
    connect: async (key, person) => {
      const requestInit = { headers: { Authorization: `Bearer ${key}` } };
      const transport = new StreamableHTTPClientTransport(url, { requestInit });
      const connection = await McpConnection.over(transport, person);
      connections.push(connection);
      return connection;
    },
    close: async () => {
      await Promise.all(connections.map((one) => one.close()));
      await serving.close();
    },
  };
}
