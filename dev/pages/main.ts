/** `npm run pages`: updates files and parts of documents that are generated from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';
import { withTables } from './agent-config';
import { asyncApiDocument } from './clients/asyncapi';
import { pythonTypes } from './clients/python';
import { typescriptTypes } from './clients/typescript';
import { composeVariables, errorTables, envExample, settingsTables, webhookEventTables } from './tables';

interface Page {
  file: string;
  /** Returns the file's new content. In documents and in `docker-compose.yml`, only the text between the marks changes. */
  made: (text: string) => string;
}

const docs = (name: string): string => join(repositoryRoot(), 'docs', name);
const sdk = (...names: string[]): string => join(repositoryRoot(), 'sdk', ...names);

export const PAGES: readonly Page[] = [
  { file: docs('webhooks.md'), made: (text) => withPart(text, webhookEventTables()) },
  { file: docs('agent-config.md'), made: withTables },
  { file: join(repositoryRoot(), '.env.example'), made: envExample },
  { file: docs('settings.md'), made: (text) => withPart(text, settingsTables()) },
  { file: join(repositoryRoot(), 'docker-compose.yml'), made: (text) => withPart(text, composeVariables()) },
  { file: docs('errors.md'), made: (text) => withPart(text, errorTables()) },
  { file: docs('asyncapi.json'), made: () => `${JSON.stringify(asyncApiDocument(), null, 2)}\n` },
  { file: sdk('typescript', 'generated.ts'), made: typescriptTypes },
  { file: sdk('python', 'voice_agent_platform', 'generated.py'), made: pythonTypes },
];

/** The marks are comments of Markdown or YAML. */
const PART =
  /(<!-- made by "npm run pages"[^>]*-->\n|# made by "npm run pages".*\n)[\s\S]*?(\n(?:<!-- until here -->|# until here\n))/;

/** @throws Error if the text lacks the two marks */
function withPart(text: string, part: string): string {
  if (!PART.test(text)) throw new Error('the page lacks the two marks around its generated part');
  return text.replace(PART, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}

if (require.main === module)
  for (const { file, made } of PAGES) writeFileSync(file, made(readFileSync(file, 'utf8')));
