/** The activities with one of their sources changed, as the planted faults have it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import * as ts from 'typescript';
import type { createActivities } from '../../activities';
import { repositoryRoot } from '../../dev/stack/repository';

export type CreateActivities = typeof createActivities;

/** A part of a source, from the repository's root, that is there once, and what replaces it. */
export interface SourceChange {
  file: string;
  from: string;
  to: string;
}

/** @throws Error for a change that a source of later outgrew */
export function changed(source: string, { file, from, to }: SourceChange): string {
  const parts = source.split(from);
  if (parts.length !== 2)
    throw new Error(`the fault cannot be planted: "${from}" is ${parts.length - 1} times in ${file}`);
  return parts.join(to);
}

export const changedSource = (change: SourceChange): string =>
  changed(readFileSync(join(repositoryRoot(), change.file), 'utf8'), change);

const BUILT = join(repositoryRoot(), 'dist');
const ACTIVITIES = join(BUILT, 'activities') + sep;
/** Its errors are those that the simulated carrier throws: of one class only. */
const SHARED = join(ACTIVITIES, 'telephony') + sep;

/** Loads the built activities anew around the changed source; everything else of the process keeps those that it has. */
export function changedActivities(change: SourceChange): CreateActivities {
  const load = createRequire(__filename);
  const changedFile = join(BUILT, change.file.replace(/\.ts$/, '.js'));
  const isOwn = (file: string): boolean =>
    file === changedFile || (file.startsWith(ACTIVITIES) && !file.startsWith(SHARED));
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

/** Deprecated for what goes into a product, and with no successor in Node 20. */
const loaders = (load: object) =>
  (load as { extensions: { '.js': (module: Compiling, file: string) => void } }).extensions;

/** What was loaded of these, which is then forgotten. */
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
