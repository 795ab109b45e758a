import { useState, type ReactNode } from 'react';

interface OpeningProps {
  /** Unique on the page. */
  id: string;
  /** Of the table. */
  columns: number;
  /** What stands in the first column, which opens the row. */
  head: ReactNode;
  /** What is shown below the row; it is made when it is opened. */
  story: ReactNode;
  /** The other cells. */
  children: ReactNode;
}

/** A row of a table that opens. */
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
