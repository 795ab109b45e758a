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

interface ProblemProps {
  error: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
}

export function Problem({ error, onRetry, isRetrying = false }: ProblemProps) {
  return (
    <div className="note bad" role="alert">
      <strong>{sentenceOf(error)}</strong>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          {isRetrying ? 'Trying again…' : 'Try again'}
        </button>
      )}
    </div>
  );
}

/** Shows why a query failed, with a button to retry. */
export function ProblemOf({ query }: { query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> }) {
  if (query.error === null) return null;
  return <Problem error={query.error} onRetry={() => void query.refetch()} isRetrying={query.isFetching} />;
}

export interface QueryResultProps<T> {
  query: UseQueryResult<T>;
  of: string;
  children: (data: T) => ReactNode;
}

/** Shows a query's result, a loading indicator or its error. An earlier result stays visible during a refetch. */
export function QueryResult<T>({ query, of, children }: QueryResultProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <ProblemOf query={query} />;
  return <Loading of={of} />;
}
