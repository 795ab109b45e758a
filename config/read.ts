/** Reads a process's environment according to a table of variables. */
import type { Process, Table, Variable } from './variable';

export type Environment = Readonly<Record<string, string | undefined>>;

type ValueOf<Row, By> =
  Row extends Variable<infer Value, Process, infer Needing, string>
    ? [By] extends [Needing]
      ? NonNullable<Value>
      : Value
    : never;
type IsReadBy<Row, By> = Row extends { readBy: readonly (infer Reader)[] }
  ? [By] extends [Reader]
    ? true
    : false
  : false;
type SettingName<Row> = Row extends Variable<unknown, Process, Process, infer As> ? As : never;

/** Values by variable name. */
export type Values<Rows extends Table, By extends Process> = {
  [Name in keyof Rows as IsReadBy<Rows[Name], By> extends true ? Name : never]: ValueOf<Rows[Name], By>;
};

/** Values by their name in the settings. */
export type Settings<Rows extends Table, By extends Process> = {
  [Name in keyof Rows as IsReadBy<Rows[Name], By> extends true ? SettingName<Rows[Name]> : never]: ValueOf<
    Rows[Name],
    By
  >;
};

export interface Read<Rows extends Table, By extends Process> {
  values: Values<Rows, By>;
  settings: Settings<Rows, By>;
}

/**
 * Reads the variables of a process. An empty variable counts as unset. The error also lists `faults`, which other checks found.
 * @throws one error that names every wrong or missing variable
 */
export function readVariables<Rows extends Table, By extends Process>(
  table: Rows,
  process: By,
  env: Environment,
  faults: readonly string[] = [],
): Read<Rows, By> {
  const read = checkVariables(table, process, env);
  const all = [...('faults' in read ? read.faults : []), ...faults];
  if ('faults' in read || all.length > 0) {
    const lines = all.map((fault) => `  ${fault}`).join('\n');
    throw new Error(`Environment variables are missing or wrong (see .env.example):\n${lines}`);
  }
  return read;
}

/** Returns the faults instead of throwing them. */
export function checkVariables<Rows extends Table, By extends Process>(
  table: Rows,
  process: By,
  env: Environment,
): Read<Rows, By> | { faults: string[] } {
  const rows = Object.entries(table).filter(([, { readBy }]) => readBy.includes(process));
  const values: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  const faulty = new Set<string>();
  for (const [name, row] of rows) {
    const read = valueOf(row, process, env[name]);
    values[name] = 'value' in read ? read.value : null;
    if (row.as !== undefined) settings[row.as] = values[name];
    if ('value' in read) continue;
    faults.push(`${name} ${read.fault}`);
    faulty.add(name);
  }
  // Rules also see variables with a wrong value, so that they don't treat them as unset.
  const other = (name: string): unknown => (faulty.has(name) ? env[name] : (values[name] ?? null));
  for (const [name, { rule }] of rows) {
    const fault = faulty.has(name) ? null : (rule?.(values[name], other) ?? null);
    if (fault !== null) faults.push(`${name} ${fault}`);
  }
  return faults.length > 0
    ? { faults }
    : { values: values as Values<Rows, By>, settings: settings as Settings<Rows, By> };
}

function valueOf(row: Variable, process: Process, given: string | undefined) {
  const text = given === undefined || given === '' ? defaultOf(row, process) : given;
  if (text !== null) return row.kind.parse(text);
  return row.requiredBy?.includes(process) === true ? { fault: 'is required' } : { value: null };
}

/** Returns the default as text, or null if the variable has none. */
export function defaultOf(row: Variable, process: Process): string | null {
  const value = typeof row.default === 'object' ? row.default[process] : row.default;
  return value === undefined ? null : String(value);
}
