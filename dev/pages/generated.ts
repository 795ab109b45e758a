/** Files that are made from the code, whole or in part. */
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';
import { withTables } from './agent-config';
import { asyncApiDocument } from './clients/asyncapi';
import { pythonTypes } from './clients/python';
import { typescriptTypes } from './clients/typescript';
import { errorTables } from './errors';
import { webhookEventTables } from './webhook-events';

export interface Page {
  file: string;
  /** The page as it is to be, from the page as it is: of a document, what stands between its marks is made anew. */
  made: (text: string) => string;
}

const docs = (name: string): string => join(repositoryRoot(), 'docs', name);
const sdk = (...names: string[]): string => join(repositoryRoot(), 'sdk', ...names);

export const PAGES: readonly Page[] = [
  { file: docs('webhooks.md'), made: (text) => withPart(text, webhookEventTables()) },
  { file: docs('agent-config.md'), made: withTables },
  { file: docs('errors.md'), made: (text) => withPart(text, errorTables()) },
  { file: docs('asyncapi.json'), made: () => `${JSON.stringify(asyncApiDocument(), null, 2)}\n` },
  { file: sdk('typescript', 'generated.ts'), made: typescriptTypes },
  { file: sdk('python', 'voice_agent_platform', 'generated.py'), made: pythonTypes },
];

const PART = /(<!-- made by "npm run pages"[^>]*-->\n)[\s\S]*?(\n<!-- until here -->)/;

/** @throws Error for a text without the two lines */
export function withPart(text: string, part: string): string {
  if (!PART.test(text)) throw new Error('the lines that a made part stands between are not there');
  return text.replace(PART, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}
