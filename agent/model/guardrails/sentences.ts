/** Splits text that arrives in pieces into sentences, each as soon as it is complete. */

/**
 * A full stop of Latin scripts ends a sentence only before a blank, because of `3.5` and `example.com`. Those of other scripts always do.
 */
const END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[।॥۔؟。！？]+["'”’)\]]*|\n+/gu;
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nos|rs|vs|approx|e\.g|i\.e|etc|[a-z])\.$/i;

/** Text without a sentence end is emitted in parts of this length, so that TTS does not wait for the end. */
const LONGEST = 240;
/** The same limit for text without blanks, as in some scripts. */
const LONGEST_WITHOUT_BLANK = 1_000;
const HELD_BACK_WITHOUT_BLANK = 100;

export interface Part {
  /** All parts joined are the text. */
  text: string;
  /** Known continuation of a part that was cut without a sentence end, because a phrase can span the cut. */
  ahead: string;
}

export class SentenceSplitter {
  private pending = '';

  /** When text is cut without a sentence end, its last `longestPhrase` words are held back, so that a phrase across the cut is found. */
  constructor(private readonly longestPhrase: number) {}

  /** Returns the sentences that are complete now. */
  push(piece: string): Part[] {
    this.pending += piece;
    const parts: Part[] = [];
    for (let part = this.next(); part !== null; part = this.next()) {
      this.pending = this.pending.slice(part.text.length);
      parts.push(part);
    }
    return parts;
  }

  /** Returns the rest at the end of the text. */
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
    // The last word may be incomplete.
    const at = starts.at(-1 - this.longestPhrase);
    if (at !== undefined) return at;
    return this.pending.length > LONGEST_WITHOUT_BLANK ? this.pending.length - HELD_BACK_WITHOUT_BLANK : null;
  }
}
