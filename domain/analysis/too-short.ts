import { wordCount } from './wording';

const MIN_USER_WORDS = 3;

export const NOT_ENOUGH_DATA = 'not enough data';

/** Returns whether the person said too little for any finding. Opt-outs count regardless. */
export const isTooShort = (userText: string): boolean => wordCount(userText) < MIN_USER_WORDS;
