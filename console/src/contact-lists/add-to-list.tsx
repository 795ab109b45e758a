import { useState } from 'react';
import type { ContactImport } from '../../../sdk/typescript/generated';
import { countOf, percentOf } from '../format/values';
import { Faults } from '../parts/faults';
import { FileDrop } from '../parts/file-drop';
import { useImport } from './queries';

/** Uploads a file as soon as the user has chosen it, because a list accepts every good row and a repeat adds nothing twice. */
export function AddToList({ listId }: { listId: string }) {
  const [sent, setSent] = useState(0);
  const [fileName, setFileName] = useState('');
  const { mutate, isPending, data, error } = useImport(listId);
  const upload = (file: File | null): void => {
    if (file === null) return;
    setSent(0);
    setFileName(file.name);
    mutate({ file, onProgress: setSent });
  };
  return (
    <section className="card" aria-labelledby="add">
      <header>
        <h2 id="add">Add contacts</h2>
      </header>
      <div className="body">
        <FileDrop
          label="Contact file"
          help="Choose or drop a .csv file with up to 1,000,000 contacts and 256 MiB, or a workbook with up to 10,000. It needs a name column and a phone number column. Invalid rows are skipped."
          isDisabled={isPending}
          onFile={upload}
        />
        {isPending && <Sending fileName={fileName} sent={sent} />}
        {error !== null && <Faults error={error} />}
        {data !== undefined && <Result listId={listId} fileName={fileName} result={data} />}
      </div>
    </section>
  );
}

function Sending({ fileName, sent }: { fileName: string; sent: number }) {
  return (
    <div className="stack small" role="status">
      <label>
        {sent < 1 ? `Uploading ${fileName}` : `Reading ${fileName}. This takes up to a minute.`}
        <progress max={1} {...(sent < 1 && { value: sent })} />
      </label>
      {sent < 1 && <span className="soft">{percentOf(sent, 1)}</span>}
    </div>
  );
}

interface ResultProps {
  listId: string;
  fileName: string;
  result: ContactImport;
}

function Result({ listId, fileName, result }: ResultProps) {
  const { import_id: importId, added, updated, skipped } = result;
  const path = `/api/contact-lists/${encodeURIComponent(listId)}/imports/${encodeURIComponent(importId)}/skipped.csv`;
  return (
    <div className="stack" role="status">
      <h3>{fileName}</h3>
      <dl className="key">
        <Count of="Added" value={added} />
        <Count of="Updated" value={updated} />
        <Count of="Skipped" value={skipped} />
      </dl>
      {skipped > 0 && (
        <>
          <Skipped result={result} />
          <a className="button" href={path} download>
            All skipped rows (CSV)
          </a>
        </>
      )}
    </div>
  );
}

const Count = ({ of, value }: { of: string; value: number }) => (
  <div>
    <dt>{of}</dt>
    <dd>{countOf(value)}</dd>
  </div>
);

const rowsOf = (count: number): string => (count === 1 ? '1 row' : `${countOf(count)} rows`);

/** The CSV file has all of them. */
const MAX_SHOWN = 20;

function Skipped({
  result: { skipped, skipped_by_reason: reasons, skipped_rows: rows },
}: {
  result: ContactImport;
}) {
  const shown = rows.slice(0, MAX_SHOWN);
  return (
    <>
      <div className="note wait">
        <strong>
          {rowsOf(skipped)} {skipped === 1 ? 'was' : 'were'} skipped
        </strong>
        <ul>
          {reasons.map(({ reason, count }) => (
            <li key={reason}>
              {rowsOf(count)}: {reason}
            </li>
          ))}
        </ul>
      </div>
      <div className="scroll">
        <table className="within">
          <caption className="soft small">
            {shown.length < skipped ? `The first ${countOf(shown.length)} skipped rows` : 'The skipped rows'}
          </caption>
          <thead>
            <tr>
              <th className="number">Row</th>
              <th>Column</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, column, reason }) => (
              <tr key={row}>
                <td className="number">{row}</td>
                <td>{column ?? '–'}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
