import type { Paging } from '../input/fields';
import type { CampaignPaginationBody, PaginationBody } from '../resources/pagination';

/** Call history, agents, contacts, deliveries. */
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

/** Campaigns. */
export function campaignPagination({ page, page_size }: Paging, total: number): CampaignPaginationBody {
  return { page, page_size, total, total_pages: Math.ceil(total / page_size) };
}
