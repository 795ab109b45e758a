/**
 * Replaces `{{name}}` with variables, and unknown names with ''. It reads own keys only, so a column named `constructor` doesn't reach the
 * prototype.
 */
export function fillTemplate(text: string, variables: Record<string, unknown>): string {
  return text
    .replace(/\{\{([^{}]*)\}\}/g, (_whole, inner: string) => {
      const name = inner.trim();
      return Object.hasOwn(variables, name) ? spoken(variables[name]) : '';
    })
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ +([,.!?])/g, '$1')
    .trim();
}

function spoken(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return '';
  }
}
