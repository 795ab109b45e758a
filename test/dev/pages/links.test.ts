import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

const root = repositoryRoot();
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
const pages = execFileSync('git', ['ls-files', '--', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(join(root, page)));

/** Anchors that GitHub generates: lower case, hyphens for spaces, no other punctuation. */
const headingsOf = (page: string): string[] =>
  [...withoutCode(textOf(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '');

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

test('finds every file and heading that documents link to', () => {
  expect(pages.length).toBeGreaterThan(20);
  const links = pages.flatMap((page) =>
    [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => ({
      page,
      link,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => !leadsSomewhere(page, link))).toEqual([]);
});

test('finds every npm script that documents mention', () => {
  // The changelog also mentions removed scripts.
  const present = pages.filter((page) => page !== 'CHANGELOG.md');
  const named = present.flatMap((page) =>
    [...textOf(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, script = '']) => script),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});
