/** Limits of counted totals. A total at its limit means "at least". */

/** Limit for filters, searches, audit entries and the first row of a page. `search_calls` repeats it. */
export const MOST_COUNTED = 10_000;

/** Limit for a person's contacts in all campaigns. */
export const MOST_PEOPLE_COUNTED = 1_000;
