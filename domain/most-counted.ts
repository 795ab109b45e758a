/** How far totals are counted. A total that is as high says "at least". */

/** Rows that a filter or a search finds, and entries of the audit. No page of any list begins after as many. `search_calls` has it again. */
export const MOST_COUNTED = 10_000;

/** Contacts of a person in all campaigns: more than one reads, a longer name has to be given. */
export const MOST_PEOPLE_COUNTED = 1_000;
