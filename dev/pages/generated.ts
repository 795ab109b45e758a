/** Documents of which a part is made from the code. */
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';
import { webhookEventTables } from './webhook-events';

export interface Page {
  file: string;
  /** Stands between the lines `<!-- made by "npm run pages": … -->` and `<!-- until here -->`. */
  part: () => string;
}

export const PAGES: readonly Page[] = [
  { file: join(repositoryRoot(), 'docs', 'webhooks.md'), part: webhookEventTables },
];

const PART = /(<!-- made by "npm run pages"[^>]*-->\n)[\s\S]*?(\n<!-- until here -->)/;

/** @throws Error for a text without the two lines */
export function withPart(text: string, part: string): string {
  if (!PART.test(text)) throw new Error('the lines that a made part stands between are not there');
  return text.replace(PART, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}
