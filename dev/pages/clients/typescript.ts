/** The generated part of the TypeScript client. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../stack/repository';
import { choicesOf } from './choices';
import { clientDocument } from './document';

const HEAD = '/** Made by "npm run pages" from the API\'s document: not to be edited. */\n';

export function typescriptTypes(): string {
  const { document, requests, errorCodes } = clientDocument();
  const program = join(repositoryRoot(), 'dev', 'pages', 'clients', 'openapi-typescript.mjs');
  const types = execFileSync(process.execPath, [program], {
    input: JSON.stringify(document),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  return [
    HEAD + types,
    '/** Of the operations that need something of the client, by method and path. */',
    `export const REQUESTS = ${JSON.stringify(requests, null, 2)} as const;\n`,
    choicesOf(document),
    'export type ErrorCode =',
    `${errorCodes.map((code) => `  | ${JSON.stringify(code)}`).join('\n')};\n`,
  ].join('\n');
}
