import { dayWord, offsetOf, zoneToUtc } from '../format/window';
import { Field } from '../parts/field';
import type { Schedule } from './new/draft';
import { shortOf, WEEKDAYS, type Weekday } from './weekdays';

interface ScheduleProps {
  draft: Schedule;
  zone: string;
  onChange: (changes: Partial<Schedule>) => void;
}

export function ScheduleFields({ draft, zone, onChange }: ScheduleProps) {
  return (
    <>
      <div className="grid">
        <Day label="First day" value={draft.from} onChange={(from) => onChange({ from })} />
        <Day label="Last day" value={draft.to} onChange={(to) => onChange({ to })} />
        <Time
          label="From"
          value={draft.start}
          zone={zone}
          on={draft.from}
          onChange={(start) => onChange({ start })}
        />
        <Time
          label="Until"
          value={draft.end}
          zone={zone}
          on={draft.from}
          onChange={(end) => onChange({ end })}
        />
      </div>
      <p className="soft small">
        Hours are in {zone} ({offsetWords(zone, draft.from)}); the platform stores them in UTC, and days begin
        and end in UTC.
      </p>
      <fieldset>
        <legend>Days of the week</legend>
        <div className="days">
          {WEEKDAYS.map((day) => (
            <label key={day} className="check">
              <input
                type="checkbox"
                checked={draft.days.includes(day)}
                onChange={() => onChange({ days: toggled(draft.days, day) })}
              />
              {shortOf(day)}
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}

const toggled = (days: readonly Weekday[], day: Weekday): readonly Weekday[] =>
  days.includes(day) ? days.filter((each) => each !== day) : [...days, day];

function offsetWords(zone: string, on: string): string {
  const minutes = offsetOf(zone, new Date(`${on}T12:00:00Z`));
  const size = Math.abs(minutes);
  const hours = `${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${hours}`;
}

interface InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function Day({ label, value, onChange }: InputProps) {
  return (
    <Field label={label}>
      {(ties) => (
        <input {...ties} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

function Time({ label, value, zone, on, onChange }: InputProps & { zone: string; on: string }) {
  const utc = zoneToUtc(value, zone, new Date(`${on}T12:00:00Z`));
  return (
    <Field label={label} {...(utc !== null && { help: `${utc.time} UTC${dayWord(utc.dayShift)}` })}>
      {(ties) => (
        <input {...ties} type="time" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
