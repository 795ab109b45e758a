/** Removes NUL and unpaired surrogates, which Postgres cannot store. */
export const storableText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '');
