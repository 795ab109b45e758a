/** Splits a document into statements that a check can refer to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement of the document. A row's cells are keyed by column title; a sentence has no cells. */
export interface Item {
  /** Path to the statement: headings, the words before a table, then the row's first cell or the sentence itself. */
  id: string;
  kind: 'endpoint' | 'row' | 'sentence';
  /** The text without Markdown syntax, except backticks. */
  text: string;
  cells: Readonly<Record<string, string>>;
}

export function readPage(name: string): Item[] {
  return itemsOf(readFileSync(join(__dirname, '../../../docs', name), 'utf8'));
}

export function itemsOf(markdown: string): Item[] {
  const reader = new PageReader();
  for (const block of blocksOf(markdown)) reader.take(block);
  return reader.items;
}

/** Splits the document into headings, tables, list items and paragraphs, and joins wrapped lines. */
function blocksOf(markdown: string): string[] {
  return markdown.split(/\n{2,}/).flatMap((block) =>
    /^\s*(#|\|)/.test(block)
      ? block.trim()
      : block
          .trim()
          .split(/\n(?=\s*(?:[-*]|\d+\.) )/)
          .map((line) => line.replace(/\s*\n\s*/g, ' ')),
  );
}

class PageReader {
  readonly items: Item[] = [];
  private headings: string[] = [];
  private part: string[] = [];
  private beforeTable: string[] = [];

  take(block: string): void {
    const heading = /^(#+) (.+)$/.exec(block);
    const part = /^\*\*(.+)\*\*$/.exec(block);
    if (heading) this.takeHeading((heading[1] ?? '').length, heading[2] ?? '');
    else if (part) this.part = [part[1] ?? ''];
    else if (block.startsWith('|')) this.takeTable(block.split('\n'));
    else this.takeText(block.replace(/^(?:[-*]|\d+\.) /, ''));
  }

  private takeHeading(level: number, title: string): void {
    this.part = [];
    this.beforeTable = [];
    // The document's title isn't part of the path.
    this.headings = [...this.headings.slice(0, level - 2), ...(level === 1 ? [] : [title])];
    if (/^(GET|POST|PUT|PATCH|DELETE) \//.test(title)) this.add('endpoint', [], title);
  }

  private takeTable(lines: string[]): void {
    const [titles = [], _rule, ...rows] = lines.map(cellsOf);
    for (const row of rows) {
      const cells = Object.fromEntries(titles.map((title, index) => [title, row[index] ?? '']));
      this.add('row', [...this.beforeTable, bare(row[0] ?? '')], row.join(' | '), cells);
    }
    this.beforeTable = [];
  }

  private takeText(text: string): void {
    for (const sentence of sentencesOf(text)) {
      if (sentence.endsWith(':')) this.beforeTable = [bare(sentence.slice(0, -1))];
      else this.add('sentence', [bare(sentence)], sentence);
    }
  }

  private add(kind: Item['kind'], way: string[], text: string, cells: Item['cells'] = {}): void {
    this.items.push({ id: [...this.headings, ...this.part, ...way].join(' > '), kind, text, cells });
  }
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const bare = (text: string): string => text.replaceAll('`', '').replaceAll('\\', '');

/** Splits at a full stop before the start of a new sentence, but not after `e.g.`. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<!e\.g)(?<=\.)\s+(?=[A-Z]\w*:? |`[a-z_]+` is )/);
