import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Compose {
  services: Record<string, { image?: string; build?: { dockerfile: string } }>;
}

/** Returns the images that docker-compose.yml builds. They are tagged with the version. */
export function imagesOf(root: string): { name: string; dockerfile: string }[] {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true, maxAliasCount: -1 }) as Compose;
  const built = Object.values(services).flatMap(({ image = '', build }) =>
    build === undefined ? [] : [[image.replace(/:.*$/, ''), build.dockerfile] as const],
  );
  return [...new Map(built)].map(([name, dockerfile]) => ({ name, dockerfile }));
}
