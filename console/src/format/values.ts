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

const COUNT = new Intl.NumberFormat('en');
const COST = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

export const countOf = (value: number): string => COUNT.format(value);

export const creditsOf = (value: number): string =>
  `${COST.format(value)} ${value === 1 ? 'credit' : 'credits'}`;

/** Formats a share as a whole percentage. Only zero shows as 0 %, and only a complete share as 100 %. */
export function percentOf(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}

/** Indents a JSON body for display and returns other text unchanged. Signatures cover the original text. */
export function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
