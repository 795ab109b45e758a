import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { sentenceOf } from './problem-text';

export function Loading({ of }: { of: string }) {
  return (
    <div className="loading" role="status" aria-label={`Loading ${of}`}>
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div className="note bad" role="alert">
      <strong>{sentenceOf(error)}</strong>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What a page shows of a question to the API: that it waits, why it failed, or the answer. What was read before stays while it is read again. */
export function Answer<T>({
  query,
  of,
  children,
}: {
  query: UseQueryResult<T>;
  of: string;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading of={of} />;
}
