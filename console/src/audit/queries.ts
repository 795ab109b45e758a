import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import { dayAfter } from '../format/time';
import type { AuditFilters } from './filters';

const PAGE_SIZE = 50;

export const useAudit = (filters: AuditFilters) =>
  useQuery({
    queryKey: ['audit', filters],
    queryFn: ({ signal }) => api.get('/api/audit', { query: queryOf(filters), signal }),
    placeholderData: keepPreviousData,
  });

function queryOf({ who, action, subject, from, to, page = 1 }: AuditFilters) {
  return {
    page,
    page_size: PAGE_SIZE,
    ...(who !== undefined && (isKind(who) ? { actor_kind: who } : { actor_id: who })),
    ...(action && { action }),
    ...(subject && { subject_id: subject }),
    ...(from && { from }),
    ...(to && { to: dayAfter(to) }),
  };
}

const isKind = (who: string): who is 'operator' | 'agent' => who === 'operator' || who === 'agent';
