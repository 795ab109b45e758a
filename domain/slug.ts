import { isUuid } from './uuid';

const MAX_SLUG_LENGTH = 60;

/**
 * Derives an `agent_name` from a display name: lowercase ASCII letters, digits and single hyphens, at most 60 characters. A name that looks
 * like a UUID gets a prefix, because requests accept an id or an `agent_name` in the same field.
 */
export function slugOf(displayName: string): string {
  const words = displayName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const slug = words.join('-').slice(0, MAX_SLUG_LENGTH).replace(/-$/, '');
  if (slug === '') return 'agent';
  return isUuid(slug) ? `agent-${slug}` : slug;
}

/** Returns the n-th candidate for a unique slug: `sales`, `sales-2`, `sales-3`. */
export function nthSlug(slug: string, n: number): string {
  if (n <= 1) return slug;
  const suffix = `-${n}`;
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-$/, '') + suffix;
}
