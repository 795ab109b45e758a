import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const root = join(__dirname, '..', '..', '..');

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

export interface Service {
  image: string;
  user?: string;
  restart?: string;
  command?: string[];
  entrypoint?: string[];
  profiles?: string[];
  environment?: Record<string, string | number | null>;
  ports?: string[];
  volumes?: string[];
  tmpfs?: string[];
  networks?: string[];
  network_mode?: string;
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  logging?: { options?: Record<string, string> };
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  build?: { context: string; dockerfile: string };
  deploy?: { resources?: { limits?: Record<string, string> } };
}

interface ComposeFile {
  services: Record<string, Service>;
  networks?: Record<string, { internal?: boolean } | null>;
  volumes?: Record<string, null>;
}

/** A value with a tag that tells Compose how to merge it with the file below. */
interface Tagged {
  tag: '!reset' | '!override';
  value: any;
}

const tag = (name: Tagged['tag']) => [
  { tag: name, resolve: (value: string) => ({ tag: name, value }) },
  { tag: name, collection: 'map' as const, resolve: (map: any) => ({ tag: name, value: map.toJSON() }) },
];

/** Resolves anchors and merges as Compose does, but leaves variables in place. */
export function readCompose(file: string): ComposeFile {
  return parse(textOf(file), {
    merge: true,
    maxAliasCount: -1,
    customTags: (tags) => [...tags, ...(tag('!reset') as any), ...(tag('!override') as any)],
  });
}

const VARIABLE = /\$(?:(\$)|\{([A-Z][A-Z0-9_]*)(?::([-?+])([^}]*))?\}|(?=(.)))/g;

/** A use of a variable in a string, as Compose reads it. */
interface Use {
  name: string;
  /** Undefined if the use has no default. */
  default: string | undefined;
  required: boolean;
}

/** Throws if the text contains a `$` that Compose would reject. */
export function usesIn(text: string): Use[] {
  return [...text.matchAll(VARIABLE)].flatMap(([whole, escaped, name, kind, rest]) => {
    if (escaped !== undefined) return [];
    if (name === undefined)
      throw new Error(`a $ that does not start a variable, at ${JSON.stringify(whole)} in ${text}`);
    return [{ name, default: kind === '-' ? rest : undefined, required: kind === '?' }];
  });
}

/** Substitutes variables as Compose does. Throws if a required one is missing. */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_whole, escaped, name: string, kind, rest: string) => {
    if (escaped !== undefined) return '$';
    const value = values[name] ?? '';
    if (kind === '+') return value === '' ? '' : rest;
    if (value !== '') return value;
    if (kind === '?') throw new Error(`${name} is required`);
    return kind === '-' ? rest : '';
  });
}

/** Returns all strings in a value, at any depth. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Returns a container's environment. A variable without a value takes it from `values` if present. */
export function environmentOf(
  service: Service,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).flatMap(([name, given]) => {
      const value = given === null ? values[name] : interpolate(String(given), values);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
