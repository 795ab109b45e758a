import type { RefusedByRule, SimulatedCampaign, ZoneOfContacts } from '../../../sdk/typescript/generated';
import { instantOf } from '../format/time';
import { countOf } from '../format/values';
import { openSpan, placeOf, startOfDrawing, ticksFrom } from './day';

interface OutlookProps {
  result: SimulatedCampaign;
  /** Name of the time from which the result counts. */
  mark: 'Now' | 'Start';
}

/** Shows which rules refuse contacts at first, and when each time zone can be called. Empty without local windows and rules. */
export function Outlook({ result, mark }: OutlookProps) {
  const { refused_by_rule: refused = [], zones = [], short_windows: short } = result;
  return (
    <>
      {refused.length > 0 && <Refused rules={refused} mark={mark} />}
      {zones.length > 0 && <Day zones={zones} from={result.assumptions.starts_at} mark={mark} />}
      {short !== undefined && short.contacts > 0 && (
        <div className="note wait">
          <strong>{contactsOf(short.contacts)} can be called for less than an hour a day.</strong>
          <span className="small">
            Rows: {short.rows.slice(0, MAX_ROWS).join(', ')}
            {short.contacts > MAX_ROWS && '…'}
          </span>
        </div>
      )}
    </>
  );
}

const MAX_ROWS = 12;

const contactsOf = (contacts: number): string =>
  contacts === 1 ? '1 contact' : `${countOf(contacts)} contacts`;

const RULES: Record<RefusedByRule['rule'], string> = {
  window: 'Outside the campaign’s window',
  hours: 'Outside the hours of the rule profile',
  holiday: 'Holiday',
  max_per_day: 'Called too often today',
  max_per_7_days: 'Called too often in seven days',
  min_gap: 'Called too recently',
  consent: 'No consent',
  zone_unknown: 'Time zone is ambiguous',
};

function Refused({ rules, mark }: { rules: readonly RefusedByRule[]; mark: OutlookProps['mark'] }) {
  return (
    <table className="within">
      <caption className="soft small">
        Contacts that each rule refuses {mark === 'Now' ? 'now' : 'at the start'}. Most are called later.
      </caption>
      <thead>
        <tr>
          <th>Rule</th>
          <th className="number">Contacts</th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ rule, contacts }) => (
          <tr key={rule}>
            <td>{RULES[rule]}</td>
            <td className="number">{countOf(contacts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const MAX_ZONES = 12;

interface DayProps {
  zones: readonly ZoneOfContacts[];
  from: string;
  mark: OutlookProps['mark'];
}

/** Draws 24 hours in UTC with a bar for each time zone. */
function Day({ zones, from, mark }: DayProps) {
  const start = startOfDrawing(from);
  return (
    <figure className="stack">
      <figcaption className="small soft">
        When each time zone can be called, within 24 hours (UTC). The line marks the{' '}
        {mark === 'Now' ? 'current time' : 'start'}.
      </figcaption>
      <ol className="zones">
        {zones.slice(0, MAX_ZONES).map((zone) => (
          <Zone key={zone.zone} zone={zone} start={start} from={from} />
        ))}
      </ol>
      <div className="ticks small soft" aria-hidden="true">
        {ticksFrom(start).map((tick, index) => (
          <span key={index}>{tick}</span>
        ))}
      </div>
      {zones.length > MAX_ZONES && (
        <p className="soft small">{countOf(zones.length - MAX_ZONES)} more time zones are not drawn.</p>
      )}
    </figure>
  );
}

function Zone({ zone, start, from }: { zone: ZoneOfContacts; start: number; from: string }) {
  const open = openSpan(zone, start);
  return (
    <li>
      <span>
        {zone.zone} <span className="soft small">{contactsOf(zone.contacts)}</span>
      </span>
      <span className="soft small">{windowWords(zone)}</span>
      <div className="day" aria-hidden="true">
        {open !== null && (
          <span className="open" style={{ left: `${open.left}%`, width: `${open.width}%` }} />
        )}
        <span className="mark" style={{ left: `${placeOf(from, start)}%` }} />
      </div>
    </li>
  );
}

function windowWords({ opens_at: opens, closes_at: closes }: ZoneOfContacts): string {
  if (opens === null || closes === null) return 'Never';
  return `${instantOf(opens, new Date(), 'UTC')} to ${instantOf(closes, new Date(), 'UTC')} UTC`;
}
