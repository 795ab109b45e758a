import { CampaignRefused, InputError } from '../../../sdk/typescript/errors';
import { countOf } from '../format/values';
import { Problem } from './states';

interface RowFault {
  row: number;
  column: string | null;
  value: string | null;
  reason: string;
}

interface FieldFault {
  field: string;
  reason: string;
}

const isRowFault = (value: unknown): value is RowFault =>
  typeof value === 'object' && value !== null && 'row' in value && 'reason' in value;

const isFieldFault = (value: unknown): value is FieldFault =>
  typeof value === 'object' && value !== null && 'field' in value && 'reason' in value;

/** Lists the errors of a rejected request, by row of the contact file or by field. */
export function Faults({ error }: { error: unknown }) {
  if (error instanceof InputError) {
    return (
      <FieldFaults
        faults={error.faults.map(({ loc, msg }) => ({ field: String(loc.at(-1)), reason: msg }))}
      />
    );
  }
  const details = error instanceof CampaignRefused ? (error.answer.details ?? []) : [];
  const rows = details.filter(isRowFault);
  const fields = details.filter(isFieldFault);
  if (fields.length > 0) return <FieldFaults faults={fields} />;
  if (rows.length === 0) return <Problem error={error} />;
  const total = error instanceof CampaignRefused ? (error.answer.details_total ?? rows.length) : rows.length;
  return <RowFaults faults={rows} total={total} />;
}

function FieldFaults({ faults }: { faults: readonly FieldFault[] }) {
  return (
    <div className="note bad" role="alert">
      <strong>Fix these fields</strong>
      <ul>
        {faults.map(({ field, reason }, index) => (
          <li key={index}>
            {field.replaceAll('_', ' ')} {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function RowFaults({ faults, total }: { faults: readonly RowFault[]; total: number }) {
  return (
    <div className="note bad faults" role="alert">
      <strong>
        {total === 1 ? '1 error' : `${countOf(total)} errors`} in the file. Fix the file before you start the
        campaign.
      </strong>
      <ul>
        {faults.map(({ row, column, value, reason }, index) => (
          <li key={index}>
            <b>Row {row}</b>
            {column !== null && `, ${column}`}
            {value !== null && value !== '' && (
              <>
                : <q>{value}</q>
              </>
            )}{' '}
            {reason}
          </li>
        ))}
      </ul>
      {total > faults.length && <p>Only the first {countOf(faults.length)} are shown.</p>}
    </div>
  );
}
