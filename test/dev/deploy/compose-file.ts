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

export interface ComposeFile {
  services: Record<string, Service>;
  networks?: Record<string, { internal?: boolean } | null>;
  volumes?: Record<string, null>;
}

/** What Compose does with a service, a value or a list of the file below this one. */
export interface Tagged {
  tag: '!reset' | '!override';
  value: any;
}

const tag = (name: Tagged['tag']) => [
  { tag: name, resolve: (value: string) => ({ tag: name, value }) },
  { tag: name, collection: 'map' as const, resolve: (map: any) => ({ tag: name, value: map.toJSON() }) },
];

/** Anchors and merges are resolved, as Compose resolves them; variables are not. */
export function readCompose(file: string): ComposeFile {
  return parse(textOf(file), {
    merge: true,
    maxAliasCount: -1,
    customTags: (tags) => [...tags, ...(tag('!reset') as any), ...(tag('!override') as any)],
  });
}

const VARIABLE = /\$(?:(\$)|\{([A-Z][A-Z0-9_]*)(?::([-?+])([^}]*))?\}|(?=(.)))/g;

/** A variable as Compose finds it in a text. */
export interface Use {
  name: string;
  /** Undefined where the text gives none. */
  default: string | undefined;
  required: boolean;
}

/** Throws where a text has a `$` that Compose would not understand. */
export function usesIn(text: string): Use[] {
  return [...text.matchAll(VARIABLE)].flatMap(([whole, escaped, name, kind, rest]) => {
    if (escaped !== undefined) return [];
    if (name === undefined)
      throw new Error(`a $ that is no variable, at ${JSON.stringify(whole)} in ${text}`);
    return [{ name, default: kind === '-' ? rest : undefined, required: kind === '?' }];
  });
}

/** Puts the values in, as Compose does. Throws where a required one is missing. */
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

/** Every text of a value, at any depth. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** What a container gets: values put in; names without one taken from the values where they are there. */
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
