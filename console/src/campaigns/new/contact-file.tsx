import { useEffect, useId, useState, type DragEvent } from 'react';
import { meaningsOf, missingOf } from '../../format/contact-columns';
import { previewOf, type Preview } from '../../format/csv';
import { countOf } from '../../format/numbers';

interface ContactFileProps {
  file: File | null;
  onFile: (file: File | null) => void;
}

const ROWS = 5;
const HEAD_BYTES = 64 * 1024;

export function ContactFile({ file, onFile }: ContactFileProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files.item(0);
    if (dropped !== null) onFile(dropped);
  };
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>Contacts</h2>
      </header>
      <div className="body">
        <div
          className={`drop ${isOver ? 'over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <label htmlFor={id}>Contact file</label>
          <input
            id={id}
            type="file"
            accept=".csv,.xlsx,.xls"
            aria-describedby={`${id}-help`}
            onChange={(event) => onFile(event.target.files?.item(0) ?? null)}
          />
          <span className="soft small" id={`${id}-help`}>
            Drop a .csv, .xlsx or .xls here, with a column for the name and one for the phone number. At most
            10,000 contacts.
          </span>
        </div>
        {file !== null && <FirstRows key={`${file.name} ${file.lastModified}`} file={file} />}
      </div>
    </section>
  );
}

function FirstRows({ file }: { file: File }) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const isText = file.name.toLowerCase().endsWith('.csv');
  useEffect(() => {
    if (!isText) return;
    void file
      .slice(0, HEAD_BYTES)
      .text()
      .then((text) => setPreview(previewOf(text, ROWS)));
  }, [file, isText]);

  if (!isText) {
    return <p className="soft">The rows of a workbook are read by the dry run.</p>;
  }
  if (preview === null) return null;
  const meanings = meaningsOf(preview.header);
  const missing = missingOf(meanings);
  return (
    <>
      {missing.length > 0 && (
        <p className="note bad" role="alert">
          <strong>There is no column for the {missing.join(' and the ')}.</strong>
        </p>
      )}
      <div className="scroll">
        <table>
          <caption className="only-heard">The first rows of {file.name}</caption>
          <thead>
            <tr>
              {preview.header.map((title, index) => (
                <th key={index} scope="col">
                  <span className={meanings[index] === 'unclear' ? 'meaning bad' : 'meaning'}>
                    {meanings[index]}
                  </span>
                  {title === '' ? '(no header)' : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((cells, row) => (
              <tr key={row}>
                {preview.header.map((_title, index) => (
                  <td key={index}>{cells[index] ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="soft small">
        The first {countOf(preview.rows.length)} rows of {file.name}. What is called a variable can stand in
        the agent’s words, as {'{{'}
        {variableOf(preview, meanings) ?? 'city'}
        {'}}'}.
      </p>
    </>
  );
}

const variableOf = ({ header }: Preview, meanings: readonly string[]): string | undefined =>
  header[meanings.indexOf('variable')];
