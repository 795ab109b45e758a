import { useId } from 'react';
import type { ContactFilePreview } from '../../../../sdk/typescript/generated';
import { countOf } from '../../format/values';
import { Faults, RowFaults } from '../../parts/faults';
import { ListChoice } from '../../contact-lists/list-choice';
import { FileDrop } from '../../parts/file-drop';
import { Loading, Problem } from '../../parts/states';
import { isRejected, type FilePreview } from './queries';

interface ContactFileProps {
  file: File | null;
  preview: FilePreview;
  listId: string;
  onFile: (file: File | null) => void;
  onList: (listId: string) => void;
}

export function ContactFile({ file, preview, listId, onFile, onList }: ContactFileProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>Contacts</h2>
      </header>
      <div className="body">
        {listId === '' && (
          <FileDrop
            label="Contact file"
            help="Choose or drop a .csv, .xlsx or .xls file with a name column and a phone number column. It can have up to 10,000 contacts."
            onFile={onFile}
          />
        )}
        <ListChoice
          label={listId === '' ? 'Or a contact list' : 'Contact list'}
          listId={listId}
          onChoose={onList}
        />
        {preview.isPending && <Loading of="the file" />}
        {preview.isError &&
          (isRejected(preview.error) ? (
            <Faults error={preview.error} />
          ) : (
            <Problem error={preview.error} onRetry={() => onFile(file)} />
          ))}
        {preview.data !== undefined && file !== null && <AsRead of={file.name} preview={preview.data} />}
      </div>
    </section>
  );
}

const WORDS: Record<ContactFilePreview['columns'][number]['meaning'], string> = {
  name: 'name',
  phone_number: 'phone number',
  variable: 'variable',
  unclear: 'unclear',
};

function AsRead({ of, preview }: { of: string; preview: ContactFilePreview }) {
  const { columns, rows, rows_total: total, faults, faults_total: faultsTotal } = preview;
  return (
    <>
      {faultsTotal > 0 && <RowFaults faults={faults} total={faultsTotal} />}
      <div className="scroll">
        <table>
          <caption className="only-heard">The first rows of {of}</caption>
          <thead>
            <tr>
              {columns.map(({ title, meaning }, index) => (
                <th key={index} scope="col">
                  <span className={meaning === 'unclear' ? 'meaning bad' : 'meaning'}>{WORDS[meaning]}</span>
                  {title === '' ? '(no header)' : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, cells }) => (
              <tr key={row}>
                {columns.map((_column, index) => (
                  <td key={index}>{cells[index] ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="soft small">
        {rows.length < total
          ? `The first ${countOf(rows.length)} of ${countOf(total)} rows`
          : `All rows (${countOf(total)})`}{' '}
        of {of}. You can use the variables in the agent’s texts, for example {'{{'}
        {columns.find(({ meaning }) => meaning === 'variable')?.title ?? 'city'}
        {'}}'}.
      </p>
    </>
  );
}
