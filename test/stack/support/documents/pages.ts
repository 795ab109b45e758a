/** Extracts code from the documentation: blocks, and commands and requests within the text. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../../dev/stack/repository';

/**
 * Tests in test/api/contract cover the contract's two pages. The changelog and the decision notes describe the past, and the settings page
 * names commands without arguments.
 */
const NOT_READ =
  /^(?:CHANGELOG\.md|\.github\/|docs\/decisions\/|docs\/(?:interface|decisions|settings)\.md$)/;

export interface Shown {
  page: string;
  line: number;
  /** The language of a block; `span` for code within the text. */
  language: string;
  text: string;
}

/** Returns a page's blocks and code spans in order. */
export function shownIn(page: string): Shown[] {
  const text = readFileSync(join(repositoryRoot(), page), 'utf8');
  const code = /^([ \t]*)```(\w*)\n([^]*?)^\1```$|`([^`]+)`/gm;
  return [...text.matchAll(code)].map(({ index, 1: indent = '', 2: language, 3: block, 4: span }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language: span === undefined ? (language ?? '') : 'span',
    text: span?.replaceAll(/\s+/g, ' ') ?? (block ?? '').replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Returns the text of the page's only block in a language. */
export function blockOf(page: string, language: string): string {
  const [block, ...more] = shownIn(page).filter((shown) => shown.language === language);
  if (block === undefined || more.length > 0)
    throw new Error(`${page} does not have exactly one block in ${language}`);
  return block.text;
}

export function documents(): string[] {
  const root = repositoryRoot();
  return execFileSync('git', ['ls-files', '--', '*.md'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((page) => page !== '' && !NOT_READ.test(page) && existsSync(join(root, page)));
}

const PROGRAMS = 'admin|cd|docker|go|jq|lk|node|npm|npx|pip|sh|ssh|temporal';
const SPAN = new RegExp(`^(?:[A-Z_]+=(?:<[^>]+>|\\S+) )*(?:${PROGRAMS}) \\S`);
const STATEMENT = /^(?:select|delete from|update|alter) \S/;

/** Returns the commands of a block or span, joining continued lines. */
export function commandsOf({ language, text }: Shown): string[] {
  if (language === 'sql' || (language === 'span' && STATEMENT.test(text))) return [`psql ${text.trim()}`];
  if (language === 'span') return SPAN.test(text) ? [text] : [];
  if (language !== 'sh') return [];
  const commands: string[] = [];
  let begun = '';
  for (const line of text.trim().split('\n')) {
    begun += begun === '' ? line.replace(/(?:^|\s+)# .*$/, '') : `\n${line}`;
    if (line.endsWith('\\') || !isWhole(begun)) continue;
    if (begun !== '') commands.push(begun);
    begun = '';
  }
  if (begun !== '') throw new Error(`incomplete command: ${begun}`);
  return commands;
}

/** True if all quotes and braces are closed. */
function isWhole(command: string): boolean {
  const bare = command.replaceAll(/'[^']*'|"(?:\\[^]|[^"\\])*"/g, '');
  return !/['"]/.test(bare) && bare.split('{').length === bare.split('}').length;
}

/** Returns a request such as `GET /api/keys`, with a question mark for each variable part of the path. */
export function requestOf({ language, text }: Shown): string | null {
  const request = /^(?:GET|POST|PUT|PATCH|DELETE) \/api\/[^\s?]*/.exec(text);
  return language === 'span' && request !== null
    ? withoutNames(request[0].replace('{section}', 'persona'))
    : null;
}

export const withoutNames = (request: string): string => request.replaceAll(/\{\w+\}/g, '?');
