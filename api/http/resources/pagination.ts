import { about, object, type ValueOf } from '../schema/field';
import { flag, integer } from '../schema/kinds';

const PAGE = {
  page: about(integer(1), 'Number of this page, starting at 1'),
  page_size: about(integer(1), 'Maximum number of items on a page'),
};

export const pagination = object(
  {
    ...PAGE,
    total_count: about(integer(0), 'Number of items on all pages. With a filter, counted up to 10,000'),
    total_pages: about(integer(0), 'Number of pages'),
    has_next: flag(),
    has_previous: flag(),
  },
  { name: 'Pagination' },
);
export type PaginationBody = ValueOf<typeof pagination>;

/** The campaigns list has different field names. */
export const campaignPagination = object(
  {
    ...PAGE,
    total: about(integer(0), 'Number of items on all pages'),
    total_pages: about(integer(0), 'Number of pages'),
  },
  { name: 'CampaignPagination' },
);
export type CampaignPaginationBody = ValueOf<typeof campaignPagination>;
