import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { PAGES } from '../../../dev/pages/main';
import { repositoryRoot } from '../../../dev/stack/repository';

test.each(PAGES.map((page) => [relative(repositoryRoot(), page.file), page] as const))(
  'finds %s up to date (run "npm run pages" and commit the file)',
  (_name, { file, made }) => {
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n')).toEqual(made(text).split('\n'));
  },
);
