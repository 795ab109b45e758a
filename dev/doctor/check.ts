/** One thing that the doctor looked at: one line of its report. */
export interface Check {
  /** Lines of one group stand together. */
  group: 'machine' | 'packages' | 'servers' | 'ports';
  title: string;
  /** `missing`: without it one of the README's two commands does not work. `note`: good to know, or optional and absent. */
  state: 'ok' | 'missing' | 'note';
  /** What was seen. */
  found: string;
  /** What an optional thing is for; null where both commands need it. */
  onlyFor: string | null;
  /** What to do, as a command or a setting; null where nothing needs to be done. */
  remedy: string | null;
}
