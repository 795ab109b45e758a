/** How language models mark the reasoning beside their answer. */

/** Tag names, as a part of a pattern. A prefix such as that of `seed:think` may stand before them. */
export const REASONING_TAGS =
  '(?:think(?:ing)?|thoughts?|reason(?:ing)?)(?:[_-](?:process|content|block|mode|steps?))?|reflect(?:ion)?|analysis|plan(?:ning)?|scratch[_-]?pad|(?:(?:inner|internal)[_-])?monologue|(?:inner|internal)[_-]thoughts?|chain[_-]of[_-]thought|cot';

const TAG = `(?:[a-z_]+:)?(?:${REASONING_TAGS})`;
const OPENING = new RegExp(`<\\s*${TAG}(?:\\s[^<>]*)?>|\\[THINK\\]|◁think▷|<\\|channel\\|>\\s*analysis`, 'i');
const CLOSING = new RegExp(
  `<\\s*/\\s*${TAG}\\s*>|\\[/THINK\\]|◁/think▷|<\\|channel\\|>\\s*final[^<]*<\\|message\\|>|assistantfinal`,
  'gi',
);

/** The part of a whole answer that is no reasoning. Many models mark only the end of it, and one that was cut off marks no end. */
export function withoutReasoning(text: string): string {
  const last = [...text.matchAll(CLOSING)].at(-1);
  const rest = last === undefined ? text : text.slice(last.index + last[0].length);
  const unclosed = OPENING.exec(rest);
  return unclosed === null ? rest : rest.slice(0, unclosed.index);
}
