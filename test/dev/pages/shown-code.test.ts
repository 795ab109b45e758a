/** Checks that test/stack/documents.long.test.ts covers all code in the documents, and that the code refers to existing things. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../api/admin/command-line';
import { apiDocument } from '../../../dev/pages/clients/document';
import { repositoryRoot } from '../../../dev/stack/repository';
import { NOT_READ, NOT_RUN, READ } from '../../stack/support/documents/not-run';
import { commandsOf, documents, requestOf, shownIn, withoutNames } from '../../stack/support/documents/pages';

const shown = documents().flatMap(shownIn);
const at = ({ page, line }: { page: string; line: number }) => `${page}:${line}`;

test('runs, reads or lists every kind of code block in the documents except commands', () => {
  const blocks = shown.filter(({ language }) => !['span', 'sh', 'sql', 'ini'].includes(language));
  const kinds = blocks.map(({ page, language }) => `${page} ${language}`);
  expect(new Set(kinds)).toEqual(new Set([...READ, ...Object.keys(NOT_READ)]));
});

test('exempts only commands that occur in a document', () => {
  const commands = new Set(shown.flatMap(commandsOf));
  expect(commands.size).toBeGreaterThan(150);
  expect([...NOT_RUN.keys()].filter((command) => !commands.has(command))).toEqual([]);
});

test('documents only requests that match the OpenAPI document', () => {
  const { paths } = apiDocument() as { paths: Record<string, object> };
  const known = new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => withoutNames(`${method.toUpperCase()} ${path}`)),
    ),
  );
  const requests = shown.flatMap((code) => requestOf(code)?.concat(` at ${at(code)}`) ?? []);
  expect(requests.length).toBeGreaterThan(40);
  expect(requests.filter((request) => !known.has(request.split(' at ')[0] ?? ''))).toEqual([]);
});

test('documents only variables that .env.example lists', () => {
  const example = readFileSync(join(repositoryRoot(), '.env.example'), 'utf8');
  const named = shown
    .filter(({ language }) => language === 'ini')
    .flatMap(({ text }) => [...text.matchAll(/\b([A-Z][A-Z0-9_]+)=/g)].map(([, name = '']) => name));
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !new RegExp(`^(?:# )?${name}=`, 'm').test(example))).toEqual([]);
});

async function helpOf(words: readonly string[]): Promise<string> {
  let printed = '';
  const add = (text: string) => {
    printed += text;
  };
  await runCommandLine([...words, '--help'], { terminal: { print: add, note: add } } as never);
  return printed;
}

test('documents only existing commands and options of the admin CLI', async () => {
  const nouns = [...(await helpOf([])).matchAll(/^ {2}(\w+) /gm)].map(([, noun]) => noun);
  const verb = new RegExp(
    `^(?:(?:npm run (?:-s )?admin -- )|admin )?((?:${nouns.join('|')}) [a-z-]+)\\b(.*)`,
  );
  const wrong: string[] = [];
  let checked = 0;
  for (const code of shown.filter(({ language }) => language === 'span')) {
    const [, words, rest = ''] = verb.exec(code.text) ?? [];
    if (words === undefined) continue;
    const help = await helpOf(words.split(' '));
    for (const option of ['Usage', ...(rest.match(/--[a-z-]+/g) ?? [])]) {
      checked += 1;
      if (!help.includes(option)) wrong.push(`${at(code)}: ${code.text}: ${option}`);
    }
  }
  expect(checked).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});
