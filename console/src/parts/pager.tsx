import { countOf } from '../format/numbers';

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  of: string;
  /** There are more than `total`, which are not counted. */
  isAtLeast?: boolean;
  onPage: (page: number) => void;
}

export function Pager({ page, pages, total, of, isAtLeast = false, onPage }: PagerProps) {
  return (
    <nav className="pager" aria-label={`Pages of ${of}`}>
      <span>
        {isAtLeast && 'The newest '}
        {countOf(total)} {of}
        {pages > 1 && `, page ${page} of ${countOf(pages)}`}
      </span>
      {pages > 1 && (
        <>
          <button type="button" className="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </button>
          <button type="button" className="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </button>
        </>
      )}
    </nav>
  );
}
