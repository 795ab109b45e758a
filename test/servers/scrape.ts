/** Parses metrics as Prometheus does. */

/** Returns the sum of all series that have these labels, or undefined if there are none. */
export function valueOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const matching = text.split('\n').flatMap((line) => {
    const [, series = '', set = '', value = ''] = /^([a-z_:A-Z0-9]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    const wanted = Object.entries(labels).map(([label, is]) => `${label}="${is}"`);
    return series === name && wanted.every((label) => `,${set},`.includes(`,${label},`))
      ? [Number(value)]
      : [];
  });
  return matching.length === 0 ? undefined : matching.reduce((sum, value) => sum + value, 0);
}

/** Returns the metric names that a scrape declares. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
