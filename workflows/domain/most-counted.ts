/** How far totals of searches are counted. A total that is as high says "at least". */

/** Calls in which words were said, and entries of the audit. The calls are counted by `db/functions/search_calls.sql`, which has it again. */
export const MOST_COUNTED = 10_000;

/** Contacts of a person in all campaigns: more than one reads, a longer name has to be given. */
export const MOST_PEOPLE_COUNTED = 1_000;
