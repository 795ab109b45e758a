import { unescaped } from './cell-text';
import { readXml } from './xml';

const ITEM = 'sst/si';
/** Runs of rich text, without phonetic ones. */
const RUNS: ReadonlySet<string> = new Set([`${ITEM}/t`, `${ITEM}/r/t`]);

/** Returns the shared texts of a workbook in order. */
export function sharedTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  let text = '';
  readXml(bytes, {
    open: (path) => {
      if (path === ITEM) text = '';
    },
    text: (path, piece) => {
      if (RUNS.has(path)) text += piece;
    },
    close: (path) => {
      if (path === ITEM) texts.push(unescaped(text));
    },
  });
  return texts;
}
