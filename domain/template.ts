import { plainNumber } from './plain-number';

/** Stops at any brace, so that even a string of only opening braces takes linear time. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Replaces `{{name}}` with variables, but leaves placeholders inside their values unchanged. An unknown or null variable becomes empty,
 * because a callee must not hear braces.
 */
export function fillTemplate(text: string, variables: Readonly<Record<string, unknown>>): string {
  return text.replace(PLACEHOLDER, (_whole, inside: string) => {
    const name = inside.trim();
    return Object.hasOwn(variables, name) ? spoken(variables[name]) : '';
  });
}

function spoken(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'boolean') return String(value);
  return value === null || value === undefined ? '' : (JSON.stringify(value) ?? '');
}
