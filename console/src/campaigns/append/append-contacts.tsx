import { useState, type SyntheticEvent } from 'react';
import { InputError } from '../../../../sdk/typescript/errors';
import type { AppendContacts as Request, ContactsAppended } from '../../../../sdk/typescript/generated';
import { ListChoice } from '../../contact-lists/list-choice';
import { countOf } from '../../format/values';
import { Faults } from '../../parts/faults';
import { Field } from '../../parts/field';
import { FileDrop } from '../../parts/file-drop';
import { useAppend } from '../queries';
import { contactsOfCsv, MAX_APPENDED } from './csv-contacts';

/** Adds contacts to a campaign, which keeps its status. Fetches the lists only once it is open. */
export function AppendContacts({ campaignId }: { campaignId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Add contacts</summary>
      {isOpen && <AppendForm campaignId={campaignId} />}
    </details>
  );
}

function AppendForm({ campaignId }: { campaignId: string }) {
  const [listId, setListId] = useState('');
  const [csv, setCsv] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { mutate, isPending, data, error, reset } = useAppend(campaignId);
  const change = (source: { listId?: string; csv?: string }): void => {
    setListId(source.listId ?? '');
    setCsv(source.csv ?? '');
    setFault(undefined);
    reset();
  };
  const send = (request: Request): void =>
    mutate(request, {
      onSuccess: () => {
        setListId('');
        setCsv('');
      },
    });
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (listId !== '') return send({ contact_list_id: listId });
    const read = contactsOfCsv(csv);
    if ('fault' in read) setFault(read.fault);
    else send(read);
  }

  return (
    <form className="stack" aria-label="Add contacts" onSubmit={submit}>
      <ListChoice label="Contact list" listId={listId} onChoose={(chosen) => change({ listId: chosen })} />
      {listId === '' && (
        <CsvFields csv={csv} fault={fault} onChange={(text) => change({ csv: text })} onFault={setFault} />
      )}
      {error !== null && <AppendFaults error={error} />}
      {data !== undefined && <Appended result={data} />}
      <div className="row-of">
        <button
          type="submit"
          className="button primary"
          disabled={isPending || (listId === '' && csv.trim() === '')}
        >
          {isPending ? 'Adding…' : 'Add'}
        </button>
      </div>
    </form>
  );
}

interface CsvFieldsProps {
  csv: string;
  fault: string | undefined;
  onChange: (csv: string) => void;
  onFault: (fault: string) => void;
}

/** More than a thousand usual rows. */
const MAX_CSV_BYTES = 4 * 1024 * 1024;

function CsvFields({ csv, fault, onChange, onFault }: CsvFieldsProps) {
  const read = (file: File | null): void => {
    if (file === null) return;
    if (file.size > MAX_CSV_BYTES)
      onFault('The file is larger than 4 MiB. Add it to a contact list instead.');
    else void file.text().then(onChange, () => onFault('The browser could not read the file.'));
  };
  return (
    <>
      <FileDrop
        label="Or a CSV file"
        help="Choose or drop a small .csv file. You can change its text below."
        accept=".csv"
        onFile={read}
      />
      <Field
        label="Or contacts as text"
        help={`Up to ${countOf(MAX_APPENDED)} lines below a first line with the columns name and phone_number. The columns timezone, language, external_id and consent_at have their usual meaning, and all others become variables.`}
        fault={fault}
      >
        {(inputProps) => (
          <textarea
            {...inputProps}
            className="mono"
            rows={4}
            placeholder={'name,phone_number\nAsha Rao,+919876543210'}
            value={csv}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

/** Names the contact of each error, which the request numbers from 0. */
function AppendFaults({ error }: { error: unknown }) {
  if (!(error instanceof InputError)) return <Faults error={error} />;
  return (
    <div className="note bad faults" role="alert">
      <strong>No contact was added. Fix these values</strong>
      <ul>
        {error.faults.map(({ loc: [, , index, ...path], msg }, place) => (
          <li key={place}>
            {typeof index === 'number' && <b>Contact {countOf(index + 1)}</b>} {path.join('.')} {msg}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Appended({ result: { added, duplicates, total } }: { result: ContactsAppended }) {
  return (
    <div className="note good" role="status">
      <strong>{added === 1 ? '1 contact was added' : `${countOf(added)} contacts were added`}</strong>
      <span>
        {duplicates > 0 &&
          `${countOf(duplicates)} ${duplicates === 1 ? 'was' : 'were'} already in the campaign or had a number that is. `}
        The campaign now has {countOf(total)} contacts.
      </span>
    </div>
  );
}
