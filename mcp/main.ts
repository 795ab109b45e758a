/** Entry point of the MCP server. It uses standard input and output, or a port with `--http`. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import pino from 'pino';
import { Confirmations } from './confirmations';
import { failureText } from './failure-text';
import { serve } from './http/serve';
import { serverFor } from './server';
import { readMcpSettings } from './settings';

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== '--http');
  if (unknown !== undefined)
    throw new Error(
      `"${unknown}" is not an option. Use --http for HTTP, or no option for standard input and output.`,
    );
  const { apiUrl, transport, logLevel, modelConfirms } = readMcpSettings(
    args.includes('--http') ? 'http' : 'stdio',
    process.env,
  );
  // Logs to standard error, because standard output belongs to the protocol.
  const log = pino({ level: logLevel, base: { process: 'mcp' } }, pino.destination(2));
  const options = { apiUrl, confirmations: new Confirmations(), modelConfirms, log };
  if (transport.kind === 'http') {
    const serving = await serve({ ...options, ...transport });
    log.info({ port: serving.port, host: transport.host }, 'MCP server listening');
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void serving.close());
    return;
  }
  const server = await serverFor(transport.apiKey, options).catch((error: unknown) => {
    throw new Error(`${apiUrl}: ${failureText(error)}`);
  });
  await server.connect(new StdioServerTransport());
  log.info('MCP server on standard input and output');
  // Standard input ends when the program that started this process has ended.
  process.stdin.once('end', () => void server.close());
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
