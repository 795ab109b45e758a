import { about, object, type ValueOf } from '../schema/field';
import { flag, integer } from '../schema/kinds';

const PAGE = {
  page: about(integer(1), 'This page, from 1'),
  page_size: about(integer(1), 'Most items on a page'),
};

export const pagination = object(
  {
    ...PAGE,
    total_count: about(integer(0), 'Items on all pages. Those that a filter finds are counted up to 10,000'),
    total_pages: about(integer(0), 'Pages'),
    has_next: flag(),
    has_previous: flag(),
  },
  { name: 'Pagination' },
);
export type PaginationBody = ValueOf<typeof pagination>;

/** The campaigns list has its own names. */
export const campaignPagination = object(
  {
    ...PAGE,
    total: about(integer(0), 'Items on all pages'),
    total_pages: about(integer(0), 'Pages'),
  },
  { name: 'CampaignPagination' },
);
export type CampaignPaginationBody = ValueOf<typeof campaignPagination>;
