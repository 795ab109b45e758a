import { unescaped } from './cell-text';
import { readXml } from './xml';

const ITEM = 'sst/si';
/** The runs of a rich text, without its phonetic ones. */
const RUNS: ReadonlySet<string> = new Set([`${ITEM}/t`, `${ITEM}/r/t`]);

/** The shared texts of a workbook, in their order. */
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

/** The part of shared texts as exceljs reads it. */
export const textsXml = (texts: readonly string[]): string =>
  `<sst>${texts.map((text) => `<si><t>${xmlText(escaped(text))}</t></si>`).join('')}</sst>`;

/** Characters that XML cannot hold or would change, and each underscore that looks like the beginning of such an escape. */
const TO_ESCAPE = /[\0-\x08\x0b-\x1f\ufffe\uffff\p{Surrogate}]|_(?=x[0-9A-F]{4}_)/gu;

const escaped = (text: string): string =>
  text.replace(
    TO_ESCAPE,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const xmlText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
