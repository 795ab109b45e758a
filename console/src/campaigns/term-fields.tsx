import { dayWord, offsetOf, zoneToUtc } from '../format/window';
import { Day, Field } from '../parts/field';
import { useLimits, useRuleProfiles } from './queries';
import type { Schedule, Terms } from './terms';
import { shortOf, WEEKDAYS, type Weekday } from './weekdays';

interface ScheduleProps {
  schedule: Schedule;
  zone: string;
  onChange: (changes: Partial<Schedule>) => void;
}

export function ScheduleFields({ schedule, zone, onChange }: ScheduleProps) {
  const timesZone = schedule.windowZone === 'utc' ? zone : null;
  return (
    <>
      <div className="grid">
        <Day label="First day" value={schedule.from} onChoose={(from) => onChange({ from })} />
        <Day label="Last day" value={schedule.to} onChoose={(to) => onChange({ to })} />
        <Time
          label="From"
          value={schedule.start}
          zone={timesZone}
          on={schedule.from}
          onChange={(start) => onChange({ start })}
        />
        <Time
          label="Until"
          value={schedule.end}
          zone={timesZone}
          on={schedule.from}
          onChange={(end) => onChange({ end })}
        />
        <WindowZone schedule={schedule} onChange={onChange} />
      </div>
      <p className="soft small">{zoneWords(schedule, zone)}</p>
      <fieldset>
        <legend>Days of the week</legend>
        <div className="days">
          {WEEKDAYS.map((day) => (
            <label key={day} className="check">
              <input
                type="checkbox"
                checked={schedule.days.includes(day)}
                onChange={() => onChange({ days: toggled(schedule.days, day) })}
              />
              {shortOf(day)}
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}

function zoneWords({ windowZone, from }: Schedule, zone: string): string {
  if (windowZone === 'contact') return 'Times and days are in the own time zone of each contact.';
  if (windowZone !== 'utc') return `Times and days are in ${windowZone}.`;
  return `Times are in ${zone} (${offsetWords(zone, from)}). The platform stores them in UTC, and days start and end in UTC.`;
}

const ZONES = Intl.supportedValuesOf('timeZone');

function WindowZone({ schedule: { windowZone }, onChange }: Omit<ScheduleProps, 'zone'>) {
  // The API also accepts zones that this browser doesn't list.
  const zones =
    windowZone === 'utc' || windowZone === 'contact' || ZONES.includes(windowZone) ? [] : [windowZone];
  return (
    <Field
      label="Time zone of the window"
      help="A contact’s own zone comes from the file or from the prefix of the number."
    >
      {(inputProps) => (
        <select
          {...inputProps}
          value={windowZone}
          onChange={(event) => onChange({ windowZone: event.target.value })}
        >
          <option value="utc">UTC</option>
          <option value="contact">The contact’s own</option>
          {[...zones, ...ZONES].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      )}
    </Field>
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

interface TimeProps {
  label: string;
  value: string;
  /** Null if the platform doesn't convert the time to UTC. */
  zone: string | null;
  /** Day whose UTC offset applies. */
  on: string;
  onChange: (value: string) => void;
}

function Time({ label, value, zone, on, onChange }: TimeProps) {
  const utc = zone === null ? null : zoneToUtc(value, zone, new Date(`${on}T12:00:00Z`));
  return (
    <Field label={label} {...(utc !== null && { help: `${utc.time} UTC${dayWord(utc.dayShift)}` })}>
      {(inputProps) => (
        <input {...inputProps} type="time" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

interface TermsProps {
  terms: Terms;
  onChange: (changes: Partial<Terms>) => void;
}

export function LinesField({ terms, onChange }: TermsProps) {
  const limits = useLimits();
  const max = limits.data?.max_concurrency;
  return (
    <CountField
      label="Lines"
      help={`Simultaneous calls.${max === undefined ? '' : ` Your limit is ${max}.`}`}
      {...{ min: 1, max, value: terms.lines }}
      onChange={(lines) => onChange({ lines })}
    />
  );
}

export function RedialFields({ terms, onChange }: TermsProps) {
  return (
    <>
      <CountField
        label="Dials per contact"
        help="1 to 10. 1 means no redials."
        {...{ min: 1, max: 10, value: terms.dials }}
        onChange={(dials) => onChange({ dials })}
      />
      <CountField
        label="Minutes until a redial"
        help="0 to 1,440, counted from the end of the call."
        {...{ min: 0, max: 1440, value: terms.pauseMins }}
        onChange={(pauseMins) => onChange({ pauseMins })}
      />
    </>
  );
}

export function RuleProfileField({ terms, onChange }: TermsProps) {
  const profiles = useRuleProfiles();
  const names = profiles.data?.data.map(({ name }) => name) ?? [];
  // While the list loads, the campaign's own profile must stay selected.
  const missing = terms.ruleProfile !== '' && !names.includes(terms.ruleProfile) ? [terms.ruleProfile] : [];
  return (
    <Field
      label="Rule profile"
      help="Hours, holidays, caps and consent that every call must obey, besides the window. Ask a lawyer which one applies to you."
    >
      {(inputProps) => (
        <select
          {...inputProps}
          value={terms.ruleProfile}
          onChange={(event) => onChange({ ruleProfile: event.target.value })}
        >
          <option value="">None</option>
          {[...missing, ...names].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Fields for the recipients of e-mails and webhooks. */
export function NotificationFields({ terms, onChange }: TermsProps) {
  return (
    <>
      <TextField
        label="E-mail the report to"
        value={terms.emails}
        onChange={(emails) => onChange({ emails })}
      />
      <TextField
        label="Campaign webhook"
        value={terms.campaignWebhook}
        onChange={(campaignWebhook) => onChange({ campaignWebhook })}
      />
      <TextField
        label="Call webhook"
        value={terms.callWebhook}
        onChange={(callWebhook) => onChange({ callWebhook })}
      />
    </>
  );
}

interface CountProps {
  label: string;
  help: string;
  min: number;
  max: number | undefined;
  /** `NaN` while the field is empty. */
  value: number;
  onChange: (value: number) => void;
}

function CountField({ label, help, min, max, value, onChange }: CountProps) {
  return (
    <Field label={label} help={help}>
      {(inputProps) => (
        <input
          {...inputProps}
          type="number"
          required
          min={min}
          max={max}
          value={Number.isNaN(value) ? '' : value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

interface TextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function TextField({ label, value, onChange }: TextProps) {
  return (
    <Field label={label}>
      {(inputProps) => (
        <input {...inputProps} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
