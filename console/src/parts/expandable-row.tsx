import { useState, type ReactNode } from 'react';

interface ExpandableRowProps {
  /** Must be unique on the page. */
  id: string;
  /** Number of columns in the table. */
  columns: number;
  /** Content of the first column. Clicking it expands the row. */
  head: ReactNode;
  /** Content of the expanded row. Rendered only while the row is open. */
  story: ReactNode;
  children: ReactNode;
}

/** An expandable table row. */
export function ExpandableRow({ id, columns, head, story, children }: ExpandableRowProps) {
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
