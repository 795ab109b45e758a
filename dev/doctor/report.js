// @ts-check
'use strict';
/* Formats the doctor's report as text and as JSON. Plain JavaScript, see installation.js. */

/** @typedef {import('./check').Check} Check */
/** @typedef {{ columns: number, isColoured: boolean }} Look */

const MARKS = { ok: 'ok', missing: 'missing', note: 'note' };
const COLOURS = { ok: 32, missing: 31, note: 33 };
const MARK_WIDTH = 9;

/** @param {readonly Check[]} checks */
const isReady = (checks) => checks.every(({ state }) => state !== 'missing');

/**
 * Returns one aligned line for each check, and another one for its remedy if there is one.
 *
 * @param {readonly Check[]} checks
 * @param {Look} look
 */
function textOf(checks, look) {
  const width = Math.max(...checks.map(({ title }) => title.length)) + 2;
  const lines = checks.flatMap((check, index) => {
    const before = checks[index - 1];
    const isOther = before !== undefined && before.group !== check.group;
    return [...(isOther ? [''] : []), ...linesOf(check, width, look)];
  });
  return [...lines, '', lastLine(checks, look)].join('\n');
}

/** @param {Check} check @param {number} width @param {Look} look */
function linesOf({ title, state, found, onlyFor, remedy }, width, { columns, isColoured }) {
  const mark = coloured(MARKS[state].padEnd(MARK_WIDTH), COLOURS[state], isColoured);
  const indent = ' '.repeat(MARK_WIDTH + width);
  const text = onlyFor === null ? found : `${found} (only for ${onlyFor})`;
  const room = Math.max(30, columns - indent.length);
  const [first = '', ...rest] = [
    ...wrapped(text, room),
    ...(remedy === null
      ? []
      : wrapped(`→ ${remedy}`, room - 2).map((line, index) => (index === 0 ? line : `  ${line}`))),
  ];
  return [`${mark}${title.padEnd(width)}${first}`, ...rest.map((line) => indent + line)];
}

/** @param {readonly Check[]} checks @param {Look} look */
function lastLine(checks, { isColoured }) {
  const missing = checks.filter(({ state }) => state === 'missing').length;
  if (missing === 0) {
    return coloured('Both can work here: npm ci && npm run demo, npm ci && npm test', COLOURS.ok, isColoured);
  }
  const things = missing === 1 ? '1 thing is' : `${missing} things are`;
  return coloured(
    `${things} missing: follow the lines with →, then run "npm run doctor" again`,
    COLOURS.missing,
    isColoured,
  );
}

/** Breaks the text at spaces. A longer word stays whole. @param {string} text @param {number} width */
function wrapped(text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {string} text @param {number} colour @param {boolean} isColoured */
const coloured = (text, colour, isColoured) => (isColoured ? `\x1b[${colour}m${text}\x1b[39m` : text);

/** @param {readonly Check[]} checks */
const jsonOf = (checks) => JSON.stringify({ ready: isReady(checks), checks }, null, 2);

module.exports = { isReady, jsonOf, textOf };
