/** A check of the doctor, shown as one line of its report. */
export interface Check {
  /** Section of the report. */
  group: 'machine' | 'packages' | 'servers' | 'ports';
  title: string;
  /** `missing`: one of the README's two commands needs it. `note`: worth knowing, or optional and not installed. */
  state: 'ok' | 'missing' | 'note';
  /** The result, in words. */
  found: string;
  /** Purpose of an optional item; null if both commands need it. */
  onlyFor: string | null;
  /** A command or setting that fixes it; null if nothing needs to be done. */
  remedy: string | null;
}
