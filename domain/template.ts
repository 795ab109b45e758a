import { plainNumber } from './plain-number';

/** Stops at any brace, so that a text of nothing but opening braces is still read in linear time. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Puts variables into `{{name}}` (blanks inside the braces do not matter). An unknown or null variable
 * becomes the empty string: a customer must never hear braces. A value is inserted as it is and not
 * searched for placeholders again.
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
