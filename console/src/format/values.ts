/** Formats data of unknown shape as text. */
export function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(valueOf).join(', ');
  return Object.entries(value)
    .map(([name, each]) => `${titleOf(name)}: ${valueOf(each)}`)
    .join('; ');
}

/** Turns `avg_response_ms` into `Avg response ms`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
