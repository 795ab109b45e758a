/**
 * `npm run lint`: rejects the worst words of our old style in comments, test titles and Markdown (CONTRIBUTING.md, "Prose"). Plain
 * JavaScript, so that it runs without a build. Pass folders to check only those.
 */
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');

const WORDS =
  /\b(?:nobody|somebody|whoever|whomever|what came of|(?:is|are) to be|is not to|as (?:many|often|much) as may be|deeds?)\b/gi;
const FIRST_WORD = /^(?:Of|One|What|Where|Until|Else|Who|Whose|Those)\b/;
/** The API contract, generated files and historical records are skipped. */
const SKIPPED = /generated\.(?:ts|py)$|^db\/schema\.sql$|^docs\/interface\.md$|^CHANGELOG\.md$/;
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\(.*\))?\(\s*(['"`])(.*)\1,/;

/** Comment markers by file extension. */
const MARKS = {
  'ts tsx mts mjs js css': /(?:^|\s)(?:\/\*\*?|\/\/|^\s*\*(?!\/))\s+(.*)/,
  sql: /(?:^|\s)--\s+(.*)/,
  'sh py yml yaml Dockerfile': /(?:^|\s)#\s+(.*)/,
};
const markOf = (path) =>
  Object.entries(MARKS).find(([ends]) => ends.split(' ').some((end) => path.endsWith(`.${end}`)))?.[1];

/** Code and quotations can contain any word. */
const withoutQuotes = (text) => text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '');

function faultsOf(path, lines) {
  const faults = [];
  const mark = markOf(path);
  let isInComment = false;
  let isInCode = false;
  for (const [index, line] of lines.entries()) {
    if (path.endsWith('.md') && line.trimStart().startsWith('```')) isInCode = !isInCode;
    const comment = mark?.exec(line)?.[1];
    const text = path.endsWith('.md') ? (isInCode ? '' : line) : (TITLE.exec(line)?.[2] ?? comment ?? '');
    const found = withoutQuotes(text).match(WORDS) ?? [];
    if (comment !== undefined && !isInComment && FIRST_WORD.test(comment))
      found.push(`begins with ${comment.split(' ')[0]}`);
    for (const word of found) faults.push(`${path}:${index + 1}: ${word}: ${text.trim().slice(0, 100)}`);
    isInComment = comment !== undefined;
  }
  return faults;
}

const files = execFileSync('git', ['ls-files', '--', ...process.argv.slice(2)], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => (path.endsWith('.md') || markOf(path)) && !SKIPPED.test(path) && existsSync(path));
const faults = files.flatMap((path) => faultsOf(path, readFileSync(path, 'utf8').split('\n')));
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} places to say more plainly (CONTRIBUTING.md, "Prose")`);
  process.exitCode = 1;
}
