import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(__dirname, '../../..');
const FOLDERS = [
  'activities',
  'agent',
  'api',
  'db',
  'dev',
  'domain',
  'mcp',
  'runtime',
  'verify',
  'worker',
  'workflows',
];

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.ts$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file));

/** Returns the files that this file imports or re-exports, including type-only imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const named = [...text.matchAll(/(?:from|import) '(\.[^']*)'/g)].map(([, path = '']) => path);
  return named.flatMap((path) => {
    const target = normalize(join(dirname(file), path));
    return [`${target}.ts`, join(target, 'index.ts')].filter((each) => existsSync(join(ROOT, each)));
  });
}

/** Returns the first import cycle, or an empty list. */
function circleOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of imports.get(file) ?? []) {
      const circle = visit(next, [...way, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

test('finds no import cycle in the sources, including type imports', () => {
  const files = FOLDERS.flatMap(filesOf);
  expect(files).toContain(join('db', 'kernel', 'connection.ts'));
  expect(circleOf(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
});

test('reports an import cycle with its files in order', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ]);
  expect(circleOf(imports)).toEqual(['b', 'd', 'b']);
});
