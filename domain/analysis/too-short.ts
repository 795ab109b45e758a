import { wordCount } from './wording';

/** Fewer words of the user than this decide nothing. */
const MIN_USER_WORDS = 3;

export const NOT_ENOUGH_DATA = 'not enough data';

/** Whether the person said too little for any finding. An opt-out is honoured all the same. */
export const isTooShort = (userText: string): boolean => wordCount(userText) < MIN_USER_WORDS;
