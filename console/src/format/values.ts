/** Data of an agent or a client, whose shape the console does not know, as text for a person. */
export function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(valueOf).join(', ');
  return Object.entries(value)
    .map(([name, each]) => `${titleOf(name)}: ${valueOf(each)}`)
    .join('; ');
}

/** `avg_response_ms` as `Avg response ms`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
