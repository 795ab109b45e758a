import { MAX_COUNTED } from '../../../domain/count-limits';
import { countOf } from '../format/values';

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  of: string;
  /** True if the list has more rows than `total`, because the API stopped counting. */
  isAtLeast?: boolean;
  onPage: (page: number) => void;
}

export function Pager({ page, pages, total, of, isAtLeast = false, onPage }: PagerProps) {
  // The API rejects pages beyond the counted rows.
  const last = Math.min(pages, Math.ceil(MAX_COUNTED / Math.ceil(total / pages)));
  return (
    <nav className="pager" aria-label={`Pages of ${of}`}>
      <span>
        {isAtLeast && 'The newest '}
        {countOf(total)} {of}
        {pages > 1 && `, page ${page} of ${countOf(last)}`}
        {last < pages && page === last && '. Filter the list to see the others'}
      </span>
      {pages > 1 && (
        <>
          <button type="button" className="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </button>
          <button type="button" className="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
            Next
          </button>
        </>
      )}
    </nav>
  );
}
