/** Classifies words that the user says while the agent speaks, in the languages that the end-of-turn model supports. */
import { bareWords } from '../../model/words';
import { bareLanguage, type Languages } from '../../providers/languages';

/** Alternatives of a regular expression, by language. */
type Lists = Readonly<Record<string, string>>;

/** Words that only show that the listener is paying attention. "No", "stop" and "wait" don't belong here. */
const BACKCHANNELS: Lists = {
  /** Hums, as recognisers spell them. Some are spelled letter by letter. */
  hum: '[hmn]+|h[aeiu]m+|uh huh|a+h+|a+ha+|o+h+|u+h+|u+m+|e+h+|er+m*',
  en: 'ok|okay|right|sure|yes|yeah|yep|yup|i see|thank you|thanks|you',
  hi: 'haa?n?|ji|achh?a|theek hai|thik hai|हाँ|हां|जी|अच्छा|ठीक है|हम्म',
  ar: 'نعم|أيوه|ايوه|طيب|تمام',
  de: 'ja|genau|ach so|stimmt|alles klar',
  es: 'sí|vale|claro|ajá',
  fr: 'oui|ouais|d accord',
  id: 'iya|ya|baik',
  it: 'sì|si|va bene|certo',
  ja: 'はい|うん|ええ|そうです|そうですか|なるほど',
  ko: '네|예|응|그래요',
  nl: 'oké|precies|goed',
  pt: 'sim|tá|certo',
  tr: 'evet|tamam|hı hı',
  zh: '嗯|对|好|好的|是|是的|哦',
};

/**
 * Words that always interrupt, even if they are short: commands, negations, questions, apologies and hellos. "Hey", "help" and "nope" are
 * missing because Whisper hears them in "hm" and "uh-huh".
 */
const CLEAR: Lists = {
  en:
    'stop|wait|hold on|hang on|one moment|one second|excuse me|pardon|sorry|no|not|don t|never|hello|listen|again|' +
    'what|who|why|when|where|which|how|bye|goodbye',
  hi:
    'ruk|ruko|rukiye|nahin?|suno|suniye|bas|maaf|kya|kaun|kyon|kab|kahan|kaise|' +
    'रुको|रुकिए|नहीं|सुनो|सुनिए|बस|माफ़|क्या|कौन|क्यों|कब|कहाँ|कहां|कैसे',
  ar: 'توقف|انتظر|لحظة|لا|عفوا|آسف|مرحبا|ألو|ماذا|من|متى|أين|كيف|لماذا',
  de: 'stopp|halt|warte|warten|moment|nein|nicht|entschuldigung|hallo|wer|wie|wo|wann|warum',
  es: 'para|pare|espera|espere|perdón|perdona|hola|qué|quién|cuándo|dónde|cómo',
  fr: 'arrêtez|attends|attendez|non|allô|quoi|qui|quand|où|comment|pourquoi',
  id: 'tunggu|berhenti|tidak|bukan|halo|apa|siapa|kapan|di mana|bagaimana|kenapa',
  it: 'ferma|fermi|aspetta|aspetti|scusa|scusi|pronto|chi|quando|dove|perché',
  nl: 'wacht|nee|niet|waar|wat|wanneer|waarom',
  pt: 'pera|não|desculpe?|alô|olá|quem|onde|quê',
  tr: 'dur|bekle|bekleyin|hayır|özür|alo|ne|kim|nerede|nasıl|neden',
};

/** Matches inside words too, because Chinese and Japanese have no spaces and Korean words have endings. */
const CLEAR_WITHIN: Lists = {
  ja: '待って|止めて|やめて|ちょっと|いいえ|違|すみません|もしもし|何|誰|いつ|どこ|どう|なぜ',
  ko: '잠깐|잠시|멈춰|그만|아니|죄송|미안|여보세요|뭐|누구|언제|어디|어떻게|왜',
  zh: '等|停|不|没|对不起|喂|什么|谁|哪|怎么',
};

/** Callers mix English with Hindi, and English with every other language. */
const ALWAYS: readonly string[] = ['en', 'hi'];
/**
 * Minimum duration of an interruption in milliseconds, including about 60 ms that the voice detector adds. The longest of 50 hums took 640
 * ms (Whisper heard words in one of five), and the shortest of 50 interruptions 700 ms.
 */
const WORDS_TAKE_MS = 700;

const isKnown = (code: string): boolean => code in CLEAR || code in CLEAR_WITHIN;

const oneOf = (lists: Lists, codes: readonly string[]): string =>
  `(?:${codes.flatMap((code) => lists[code] ?? []).join('|') || '(?!)'})`;

export class OverlapWords {
  private readonly backchannel: RegExp;
  private readonly clear: RegExp;
  /** False if there are no lists for one of the languages. A short word can then mean anything, so it interrupts the agent. */
  private readonly isKnown: boolean;

  constructor({ first, second, detects }: Languages) {
    const spoken = [first, second].flatMap((code) => (code === null ? [] : bareLanguage(code)));
    const codes = [...new Set([...ALWAYS, ...spoken])];
    const listened = oneOf(BACKCHANNELS, ['hum', ...(detects ? Object.keys(BACKCHANNELS) : codes)]);
    this.backchannel = new RegExp(`^${listened}(?: ${listened})*$`, 'iu');
    this.clear = new RegExp(`(?:^| )${oneOf(CLEAR, codes)}(?: |$)|${oneOf(CLEAR_WITHIN, codes)}`, 'iu');
    this.isKnown = !detects && spoken.every(isKnown);
  }

  /** Returns true if the text is only a backchannel or punctuation. Returns false for an empty text. */
  isBackchannel(words: string): boolean {
    const plain = bareWords(words);
    return words !== '' && (plain === '' || this.backchannel.test(plain));
  }

  /** Returns true if these words interrupt the agent. Recognisers hear words in hums and coughs, but those sounds are short. */
  interrupts(words: string, spokenMs: number): boolean {
    if (words === '' || this.isBackchannel(words)) return false;
    return !this.isKnown || spokenMs >= WORDS_TAKE_MS || this.clear.test(bareWords(words));
  }
}
