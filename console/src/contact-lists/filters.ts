import { pageOf } from '../format/search-params';

export interface PageFilter {
  page?: number | undefined;
}

export const pageFilter = (search: Record<string, unknown>): PageFilter => ({ page: pageOf(search.page) });
