import type { ReportRow } from '../../domain/report-row';

/** Number of rows per batch, which takes about a millisecond. */
export const ROWS_IN_ONE_GO = 50;

export type ReportCell = string | number | null;

export interface ReportColumn {
  title: string;
  /** In characters. */
  width: number;
  cellOf: (row: ReportRow) => ReportCell;
}

const column = (title: string, width: number, cellOf: ReportColumn['cellOf']): ReportColumn => ({
  title,
  width,
  cellOf,
});

const iso = (instant: Date | null): string | null => (instant === null ? null : instant.toISOString());

/**
 * Shows the next attempt only for pending contacts. During a redial, the contact's row still contains the time at which that redial was
 * due.
 */
const nextAttempt = ({ state, nextAttemptAt }: ReportRow): string | null =>
  state === 'pending' ? iso(nextAttemptAt) : null;

/** Columns from the contact file, which help people recognize their rows. */
const CONTACT: readonly ReportColumn[] = [
  column('row', 8, ({ row }) => row),
  column('name', 24, ({ name }) => name),
  column('phone_number', 16, ({ phoneNumber }) => phoneNumber),
];

/** Columns of the outcome. The values of a call are those of the last call. */
const OUTCOME: readonly ReportColumn[] = [
  column('state', 12, ({ state }) => state),
  column('reason', 24, ({ reason }) => reason),
  column('attempts', 9, ({ attempts }) => attempts),
  column('call_id', 24, ({ callId }) => callId),
  column('call_status', 18, ({ callStatus }) => callStatus),
  column('dialled_at', 24, ({ dialledAt }) => iso(dialledAt)),
  column('answered_at', 24, ({ answeredAt }) => iso(answeredAt)),
  column('ended_at', 24, ({ endedAt }) => iso(endedAt)),
  column('duration_s', 11, ({ durationMs }) => (durationMs === null ? null : Math.round(durationMs / 1000))),
  column('call_cost', 10, ({ callCost }) => callCost),
  column('summary', 48, ({ summary }) => summary),
  column('call_eval_tag', 18, ({ evalTag }) => evalTag),
  column('next_attempt_at', 24, nextAttempt),
];

const OWN_TITLES: ReadonlySet<string> = new Set([...CONTACT, ...OUTCOME].map(({ title }) => title));

/** Returns the columns of the report: the contact, the file's own columns in the given order, and the outcome. */
export function reportColumns(variables: readonly string[]): ReportColumn[] {
  const titles = new Set([...OWN_TITLES, ...variables]);
  const ofFile = variables.map((name) => {
    const title = OWN_TITLES.has(name) ? freeTitle(name, titles) : name;
    return column(title, 18, (row) => textOf(row.variables[name]));
  });
  return [...CONTACT, ...ofFile, ...OUTCOME];
}

/** Makes a title unique, because a file can also have a column called `state`. */
function freeTitle(name: string, taken: Set<string>): string {
  let title = `${name} (file)`;
  while (taken.has(title)) title = `${title} (file)`;
  taken.add(title);
  return title;
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
