/** The scripts of languages, detailed enough to distinguish Hindi from English. */
const SCRIPTS = {
  Latin: /\p{Script=Latin}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Bengali: /\p{Script=Bengali}/gu,
  Gurmukhi: /\p{Script=Gurmukhi}/gu,
  Gujarati: /\p{Script=Gujarati}/gu,
  Oriya: /\p{Script=Oriya}/gu,
  Tamil: /\p{Script=Tamil}/gu,
  Telugu: /\p{Script=Telugu}/gu,
  Kannada: /\p{Script=Kannada}/gu,
  Malayalam: /\p{Script=Malayalam}/gu,
  Arabic: /\p{Script=Arabic}/gu,
} as const;
export type Script = keyof typeof SCRIPTS;

export const SCRIPT_OF: Readonly<Record<string, Script>> = {
  en: 'Latin',
  hi: 'Devanagari',
  mr: 'Devanagari',
  ne: 'Devanagari',
  bn: 'Bengali',
  as: 'Bengali',
  pa: 'Gurmukhi',
  gu: 'Gujarati',
  or: 'Oriya',
  ta: 'Tamil',
  te: 'Telugu',
  kn: 'Kannada',
  ml: 'Malayalam',
  ur: 'Arabic',
};

/** Returns the script of most letters; null for a text without letters. */
export function mainScript(text: string): Script | null {
  let most: { script: Script; letters: number } | null = null;
  for (const [script, letters] of Object.entries(SCRIPTS)) {
    const count = text.match(letters)?.length ?? 0;
    if (count > (most?.letters ?? 0) && isScript(script)) most = { script, letters: count };
  }
  return most?.script ?? null;
}

const isScript = (name: string): name is Script => Object.hasOwn(SCRIPTS, name);
