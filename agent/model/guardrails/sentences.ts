/** Cuts a text that arrives in pieces into sentences, as soon as each is whole. */

/** A full stop of Latin scripts ends a sentence only before a blank: `3.5`, `example.com`. Those of other scripts always do. */
const END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[।॥۔؟。！？]+["'”’)\]]*|\n+/gu;
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nos|rs|vs|approx|e\.g|i\.e|etc|[a-z])\.$/i;

/** A text without any end is given out in parts of about this length, so that a voice need not wait for ever. */
const LONGEST = 240;
/** One without blanks too, as some scripts are written. */
const LONGEST_WITHOUT_BLANK = 1_000;
const HELD_BACK_WITHOUT_BLANK = 100;

export interface Part {
  /** All parts joined are the text. */
  text: string;
  /** What is known to follow where no end stands between: a phrase may run across. */
  ahead: string;
}

export class SentenceSplitter {
  private pending = '';

  /** `longestPhrase` words of a text that is cut without an end are held back, so that a phrase across the cut is seen whole. */
  constructor(private readonly longestPhrase: number) {}

  /** The sentences that are whole now. */
  push(piece: string): Part[] {
    this.pending += piece;
    const parts: Part[] = [];
    for (let part = this.next(); part !== null; part = this.next()) {
      this.pending = this.pending.slice(part.text.length);
      parts.push(part);
    }
    return parts;
  }

  /** What is left when nothing more comes. */
  flush(): Part | null {
    const text = this.pending;
    this.pending = '';
    return text === '' ? null : { text, ahead: '' };
  }

  private next(): Part | null {
    for (const match of this.pending.matchAll(END)) {
      const text = this.pending.slice(0, match.index + match[0].length);
      if (text.trim() !== '' && !ABBREVIATION.test(text)) return { text, ahead: '' };
    }
    const cut = this.cut();
    return cut === null ? null : { text: this.pending.slice(0, cut), ahead: this.pending.slice(cut) };
  }

  private cut(): number | null {
    if (this.pending.length <= LONGEST) return null;
    const starts = [...this.pending.matchAll(/(?<=\s)\S/gu)].map(({ index }) => index);
    // The last word may not be whole yet.
    const at = starts.at(-1 - this.longestPhrase);
    if (at !== undefined) return at;
    return this.pending.length > LONGEST_WITHOUT_BLANK ? this.pending.length - HELD_BACK_WITHOUT_BLANK : null;
  }
}
