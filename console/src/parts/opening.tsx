import { useState, type ReactNode } from 'react';

interface OpeningProps {
  /** Must be unique on the page. */
  id: string;
  /** Number of the table's columns. */
  columns: number;
  /** Content of the first column. It opens the row. */
  head: ReactNode;
  /** Content below the row. It's rendered when the row opens. */
  story: ReactNode;
  children: ReactNode;
}

/** An expandable table row. */
export function Opening({ id, columns, head, story, children }: OpeningProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className="opener"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="arrow" aria-hidden="true" />
            <span>{head}</span>
          </button>
        </td>
        {children}
      </tr>
      <tr id={id} hidden={!isOpen} className="opened">
        <td colSpan={columns}>{isOpen && story}</td>
      </tr>
    </>
  );
}
