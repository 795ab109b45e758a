import { parseArgs } from 'node:util';

export type AdminCommand =
  | { kind: 'help' }
  | { kind: 'org create'; name: string; maxConcurrency: number | undefined; json: boolean }
  | { kind: 'key create'; clientId: string; json: boolean }
  | { kind: 'secret create'; clientId: string; json: boolean };

/** A command line that cannot be understood; the message says what to type. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `Usage: npm run admin -- <noun> <verb> [options]

  org create --name NAME [--max-concurrency K]   a new organisation
  key create --org ID                            an API key for it, shown once
  secret create --org ID                         a signing secret for its webhooks, shown once

Options
  --json   one line of JSON instead of text
  --help   this text

Reads DATABASE_URL and SECRETS_KEY from the environment.`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function readCommandLine(args: string[]): AdminCommand {
  const { values, positionals } = parsed(args);
  const command = positionals.join(' ');
  if (values.help || command === '' || command === 'help') return { kind: 'help' };
  const json = values.json ?? false;
  switch (command) {
    case 'org create':
      return { kind: command, name: nameOf(values.name), maxConcurrency: linesOf(values), json };
    case 'key create':
    case 'secret create':
      return { kind: command, clientId: orgOf(values.org), json };
    default:
      throw new UsageError(`There is no command "${command}"`);
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        org: { type: 'string' },
        'max-concurrency': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function nameOf(name: string | undefined): string {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') throw new UsageError('--name is missing: what the organisation is called');
  return trimmed;
}

function orgOf(id: string | undefined): string {
  if (id === undefined) throw new UsageError('--org is missing: the id of the organisation');
  if (!UUID.test(id)) throw new UsageError('--org must be the id that "org create" answered');
  return id;
}

function linesOf(values: { 'max-concurrency'?: string | undefined }): number | undefined {
  const text = values['max-concurrency'];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--max-concurrency must be a whole number from 1');
  return Number(text);
}
