import type { Paging } from '../input/fields';
import type { CampaignPaginationBody, PaginationBody } from '../resources/pagination';

/** Pagination of call history, agents, contacts and deliveries. */
export function pagination({ page, page_size }: Paging, total: number): PaginationBody {
  const totalPages = Math.ceil(total / page_size);
  return {
    page,
    page_size,
    total_count: total,
    total_pages: totalPages,
    has_next: page < totalPages,
    has_previous: page > 1,
  };
}

export function campaignPagination({ page, page_size }: Paging, total: number): CampaignPaginationBody {
  return { page, page_size, total, total_pages: Math.ceil(total / page_size) };
}
