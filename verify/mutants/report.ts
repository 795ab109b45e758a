/** Prints progress while mutants are judged, and then the result. */
import { AREAS, type Mutant } from './mutant';
import { scoreOf, shareOf, type Result } from './verdict';

export const place = ({ file, line, column }: Pick<Mutant, 'file' | 'line' | 'column'>): string =>
  `${file}:${line}:${column}`;

export function progressLine(results: readonly Result[], total: number, elapsedMs: number): string {
  const { found, survived, accepted, invalid } = scoreOf(results);
  const restMs = (elapsedMs / results.length) * (total - results.length);
  const others = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(invalid > 0 ? [`${invalid} no mutants`] : []),
  ];
  const counts = [`${found} found`, `${survived} survived`, ...others].join(', ');
  return `${results.length}/${total}: ${counts}; about ${minutes(restMs)} left`;
}

/** Returns a table by area, followed by each mutant that was not found. */
export function report(results: readonly Result[], elapsedMs: number): string {
  const rows = [...AREAS.filter((area) => results.some((result) => result.area === area)), null].map(
    (area) => {
      const score = scoreOf(results.filter((result) => area === null || result.area === area));
      const { judged, found, survived, accepted, invalid } = score;
      return [area ?? 'all', judged, found, percent(shareOf(score)), survived, accepted, invalid].map(String);
    },
  );
  const head = ['area', 'mutants', 'found', 'share', 'survived', 'accepted', 'no mutants'];
  const shown = results.filter(({ verdict }) => verdict !== 'found' && verdict !== 'invalid');
  return [
    table([head, ...rows]),
    '',
    ...shown.map(line),
    `${results.length} changes judged in ${minutes(elapsedMs)}.`,
  ].join('\n');
}

function line(result: Result): string {
  const why = result.because === null ? '' : `\n    ${result.because}`;
  return `${result.verdict}  ${place(result)}  ${result.change}\n    ${result.code}${why}`;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
