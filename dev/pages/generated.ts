/** Documents of which a part is made from the code. */
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';
import { withTables } from './agent-config';
import { webhookEventTables } from './webhook-events';

export interface Page {
  file: string;
  /** The page as it is to be, from the page as it is: what stands between its marks is made anew. */
  made: (text: string) => string;
}

const docs = (name: string): string => join(repositoryRoot(), 'docs', name);

export const PAGES: readonly Page[] = [
  { file: docs('webhooks.md'), made: (text) => withPart(text, webhookEventTables()) },
  { file: docs('agent-config.md'), made: withTables },
];

const PART = /(<!-- made by "npm run pages"[^>]*-->\n)[\s\S]*?(\n<!-- until here -->)/;

/** @throws Error for a text without the two lines */
export function withPart(text: string, part: string): string {
  if (!PART.test(text)) throw new Error('the lines that a made part stands between are not there');
  return text.replace(PART, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}
