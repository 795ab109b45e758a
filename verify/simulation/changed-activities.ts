/** Loads the activities with one source changed, to plant a fault. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import * as ts from 'typescript';
import type { createActivities } from '../../activities';
import { repositoryRoot } from '../../dev/stack/repository';

export type CreateActivities = typeof createActivities;

/** A text that occurs exactly once in a source file (path from the repository's root), and its replacement. */
export interface SourceChange {
  file: string;
  from: string;
  to: string;
}

/** @throws Error if the source no longer contains the text exactly once */
export function changed(source: string, { file, from, to }: SourceChange): string {
  const parts = source.split(from);
  if (parts.length !== 2)
    throw new Error(`cannot plant the fault: "${from}" occurs ${parts.length - 1} times in ${file}`);
  return parts.join(to);
}

export const changedSource = (change: SourceChange): string =>
  changed(readFileSync(join(repositoryRoot(), change.file), 'utf8'), change);

const BUILT = join(repositoryRoot(), 'dist');
const ACTIVITIES = join(BUILT, 'activities') + sep;
/** The simulated carrier throws the error classes of this folder, so there must be only one copy of them. */
const SHARED = join(ACTIVITIES, 'telephony') + sep;

/** Modules that use pure decisions or pass them on, and that define no error classes. */
const DECIDING = [join(BUILT, 'domain') + sep, join(BUILT, 'db', 'campaigns') + sep];

/**
 * Loads the built activities again with the changed source. A change in `domain` also loads the modules again that decide. All other
 * modules keep their loaded versions.
 */
export function changedActivities(change: SourceChange): CreateActivities {
  const load = createRequire(__filename);
  const changedFile = join(BUILT, change.file.replace(/\.ts$/, '.js'));
  const deciding = change.file.startsWith('domain/') ? DECIDING : [];
  const isOwn = (file: string): boolean =>
    file === changedFile ||
    (file.startsWith(ACTIVITIES) && !file.startsWith(SHARED)) ||
    deciding.some((folder) => file.startsWith(folder));
  const code = transpiled(changedSource(change));
  const kept = take(load, isOwn);
  const extensions = loaders(load);
  const asBuilt = extensions['.js'];
  extensions['.js'] = (module, file) => {
    if (file === changedFile) module._compile(code, file);
    else asBuilt(module, file);
  };
  try {
    return (load(join(ACTIVITIES, 'index.js')) as { createActivities: CreateActivities }).createActivities;
  } finally {
    extensions['.js'] = asBuilt;
    take(load, isOwn);
    Object.assign(load.cache, kept);
  }
}

type Compiling = NodeJS.Module & { _compile: (code: string, file: string) => void };

/** Deprecated for product code, but Node 20 has no replacement. */
const loaders = (load: object) =>
  (load as { extensions: { '.js': (module: Compiling, file: string) => void } }).extensions;

/** Removes the matching modules from the module cache and returns them. */
function take(load: NodeJS.Require, isOwn: (file: string) => boolean): NodeJS.Dict<NodeJS.Module> {
  const taken = Object.fromEntries(Object.entries(load.cache).filter(([file]) => isOwn(file)));
  for (const file of Object.keys(taken)) Reflect.deleteProperty(load.cache, file);
  return taken;
}

const transpiled = (source: string): string =>
  ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  }).outputText;
