/** Without NUL and halves of surrogate pairs, as Postgres stores neither: what holds one could never be written. */
export const storableText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '');
