export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export type Weekday = (typeof WEEKDAYS)[number];

export const shortOf = (day: string): string => day.charAt(0).toUpperCase() + day.slice(1, 3);

/** Formats the API's list of days. Three or more consecutive days become a range: `Mon–Fri, Sun`. */
export function daysOf(list: string): string {
  const chosen = new Set(list.split(',').map((day) => day.trim()));
  const runs: Weekday[][] = [];
  for (const [index, day] of WEEKDAYS.entries()) {
    if (!chosen.has(day)) continue;
    const before = WEEKDAYS[index - 1];
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1) === before) last.push(day);
    else runs.push([day]);
  }
  if (runs[0]?.length === WEEKDAYS.length) return 'Every day';
  return runs
    .map((run) => {
      const names = run.map(shortOf);
      return names.length > 2 ? `${names[0]}–${names.at(-1)}` : names.join(', ');
    })
    .join(', ');
}
