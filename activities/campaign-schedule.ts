import { WEEKDAYS, type CallingSchedule } from '../workflows/domain/calling-window';

export type StoredSchedule = Omit<CallingSchedule, 'daysOfWeek'> & {
  /** Comma-separated. */
  daysOfWeek: string;
};

export function scheduleOf({
  fromDate,
  toDate,
  startMinute,
  endMinute,
  daysOfWeek,
}: StoredSchedule): CallingSchedule {
  const days = daysOfWeek.split(',');
  return {
    fromDate,
    toDate,
    startMinute,
    endMinute,
    daysOfWeek: WEEKDAYS.filter((day) => days.includes(day)),
  };
}
