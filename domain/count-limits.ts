/** Maximum totals that are counted. A total at its limit means "at least this many". */

/** Limit for filters, searches, audit entries and the first row of a page. `search_calls` must use the same number. */
export const MAX_COUNTED = 10_000;

/** Limit for one person's contacts across all campaigns. */
export const MAX_PEOPLE_COUNTED = 1_000;
