/** Removes the reasoning that language models mark in their answers. */

/** Pattern of the tag names. A prefix may precede them, as in `seed:think`. */
export const REASONING_TAGS =
  '(?:think(?:ing)?|thoughts?|reason(?:ing)?)(?:[_-](?:process|content|block|mode|steps?))?|reflect(?:ion)?|analysis|plan(?:ning)?|scratch[_-]?pad|(?:(?:inner|internal)[_-])?monologue|(?:inner|internal)[_-]thoughts?|chain[_-]of[_-]thought|cot';

const TAG = `(?:[a-z_]+:)?(?:${REASONING_TAGS})`;
const OPENING = new RegExp(`<\\s*${TAG}(?:\\s[^<>]*)?>|\\[THINK\\]|◁think▷|<\\|channel\\|>\\s*analysis`, 'i');
const CLOSING = new RegExp(
  `<\\s*/\\s*${TAG}\\s*>|\\[/THINK\\]|◁/think▷|<\\|channel\\|>\\s*final[^<]*<\\|message\\|>|assistantfinal`,
  'gi',
);

/**
 * Returns the answer without its reasoning. Many models mark only the end of the reasoning, and a truncated answer contains only its start.
 */
export function withoutReasoning(text: string): string {
  const last = [...text.matchAll(CLOSING)].at(-1);
  const rest = last === undefined ? text : text.slice(last.index + last[0].length);
  const unclosed = OPENING.exec(rest);
  return unclosed === null ? rest : rest.slice(0, unclosed.index);
}
