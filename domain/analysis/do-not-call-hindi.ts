/** Detects Hindi opt-outs in the output of `wordsOf`. Spelling variants are first replaced by the keys of this table. */

const SPELLINGS = {
  call: ['phone', 'fon', 'kol', 'sampark', 'contact', 'कॉल', 'काल', 'फोन', 'फ़ोन', 'संपर्क', 'सम्पर्क'],
  calls: ['कॉल्स'],
  mujhe: [
    ...['mujhko', 'mujhse', 'mereko', 'hame', 'hamein', 'hume', 'humein', 'humko', 'humse'],
    ...['मुझे', 'मुझको', 'मुझसे', 'मेरेको', 'हमें', 'हमे', 'हमको', 'हमसे'],
  ],
  mera: ['mere', 'hamara', 'humara', 'yeh', 'ye', 'is', 'iss', 'मेरा', 'मेरे', 'हमारा', 'यह', 'ये', 'इस'],
  mat: ['मत'],
  na: ['ना', 'न'],
  nahi: ['nahin', 'नहीं', 'नही'],
  karo: [
    ...['kariye', 'kariyega', 'karein', 'karen', 'kare', 'kijiye', 'kijiyega', 'kijie', 'lagana', 'lagao'],
    ...['करो', 'करिए', 'करिये', 'करिएगा', 'करें', 'करे', 'कीजिए', 'कीजिये', 'कीजिएगा', 'लगाना', 'लगाओ'],
  ],
  karna: ['करना'],
  kiya: ['किया'],
  dobara: ['dubara', 'doobara', 'दोबारा', 'दुबारा'],
  kabhi: ['कभी'],
  bhi: ['भी'],
  phir: ['fir', 'फिर'],
  phirse: ['firse', 'फिरसे'],
  se: ['से'],
  aage: ['आगे'],
  aaj: ['आज'],
  ab: ['अब'],
  ke: ['के'],
  iske: ['इसके'],
  baad: ['बाद'],
  band: ['bandh', 'बंद', 'बन्द'],
  kar: ['कर'],
  do: ['dijiye', 'dijiyega', 'dein', 'den', 'dena', 'दो', 'दीजिए', 'दीजिये', 'दें', 'देना'],
  hata: ['हटा', 'delete', 'डिलीट'],
  nikal: ['nikaal', 'निकाल'],
  hatao: ['hataiye', 'hataye', 'हटाओ', 'हटाइए', 'हटाइये'],
  number: ['नंबर', 'नम्बर'],
  naam: ['नाम'],
  apni: ['apne', 'aapki', 'aapke', 'अपनी', 'अपने', 'आपकी', 'आपके'],
  list: ['लिस्ट', 'सूची', 'suchi', 'system', 'सिस्टम', 'database', 'डेटाबेस', 'डाटाबेस'],
  yahan: ['yaha', 'यहां', 'यहाँ'],
  par: ['pe', 'पर', 'पे'],
  aap: ['tum', 'आप', 'तुम'],
  please: ['प्लीज', 'प्लीज़', 'कृपया', 'kripya'],
  hai: [
    'tha',
    'thi',
    'chahta',
    'chahti',
    'chahte',
    'pade',
    'padega',
    'padta',
    'है',
    'था',
    'चाहता',
    'चाहती',
    'पड़ेगा',
  ],
} satisfies Record<string, string[]>;

const CANONICAL = new Map(
  Object.entries(SPELLINGS).flatMap(([word, variants]) =>
    variants.map((variant): [string, string] => [variant.normalize('NFKC'), word]),
  ),
);

const FOR_GOOD = / (?:dobara|phirse|phir se|kabhi|aage se|aaj ke baad|aaj se|ab se|iske baad)(?: bhi)? /g;
const BETWEEN = '(?: (?:mujhe|dobara|phirse|phir|se|kabhi|bhi|aap|please|yahan|mera|number|par|ab)){0,4}';
/** Matches "call mat karna", "mat call karo" and "mat karo call". Doesn't match "call karna mat bhoolna" or "nahi, call karo". */
const DO_NOT_CALL = new RegExp(
  [
    ` calls?${BETWEEN} (?:(?:mat|na) (?:kiya )?(?:karo|karna)|nahi karo) (?!hai )`,
    ' mat calls? (?:kiya )?(?:karo|karna) (?!hai )',
    ' mat karo(?: mujhe)? calls? $',
  ].join('|'),
);
const TO_ME = / (?:mujhe|mera number par|yahan) /;
/** Ignored together with "mujhe", because the speaker may mean their own calls. */
const NOT_TO_BE_DONE = new RegExp(` calls?${BETWEEN} nahi karna (?!hai )`);
const REMOVE = '(?:hata (?:do|karo|kar do)|hatado|hatao) (?!hai )';
/** For removing a name from a list. For a number, "nikal do" is not accepted, because it can also mean looking the number up. */
const TAKE_OUT = `(?:${REMOVE}|nikal do (?!hai ))`;
const REQUESTS = [
  / (?:call karna|calls(?: karna)?) band (?:karo|kar do|kardo) /,
  new RegExp(` mera (?:call )?number(?: (?:apni|list|se|please|yahan)){0,4} ${REMOVE}`),
  new RegExp(` mera naam(?: (?:apni|please|yahan)){0,2} list se(?: please)? ${TAKE_OUT}`),
  new RegExp(` apni(?: call)? list se(?: please)? mera naam(?: please)? ${TAKE_OUT}`),
];
/** Words that limit a demand to a time, an account or a condition. */
const LIMITS = [
  ...[
    'abhi',
    'aaj',
    'kal',
    'subah',
    'shaam',
    'sham',
    'raat',
    'dopahar',
    'din',
    'baje',
    'ghante',
    'minute',
    'hafte',
    'pehle',
    'tak',
    'baad',
  ],
  ...[
    'jab',
    'agar',
    'bina',
    'office',
    'meeting',
    'busy',
    'drive',
    'gaadi',
    'account',
    'khata',
    'khate',
    'card',
    'loan',
    'purana',
    'itni',
    'jaldi',
  ],
  ...[
    'अभी',
    'कल',
    'सुबह',
    'शाम',
    'रात',
    'दोपहर',
    'दिन',
    'बजे',
    'घंटे',
    'मिनट',
    'हफ्ते',
    'पहले',
    'तक',
    'जब',
    'अगर',
    'बिना',
    'ऑफिस',
    'मीटिंग',
  ],
  ...['खाते', 'अकाउंट', 'कार्ड', 'लोन'],
].map((word) => word.normalize('NFKC'));
const OWN_WORDS =
  / (?:maine|मैंने)(?: (?:aapko|aapse|tumko|tumse|bhi|already|आपको|आपसे|तुमसे))* (?:kaha|bola|कहा|बोला)(?= )/g;
/** Words that mark reports and statements about the speaker. */
const NOT_MEANT = [
  ...[
    'kaha',
    'kehta',
    'kehti',
    'kehte',
    'bola',
    'boli',
    'bole',
    'bolta',
    'bolti',
    'bolte',
    'bol',
    'keh',
    'usne',
    'unhone',
    'main',
    'maine',
  ],
  ...['कहा', 'कहता', 'कहती', 'कहते', 'बोला', 'बोली', 'बोले', 'बोलते', 'बोल', 'कह', 'उसने', 'उन्होंने', 'मैं', 'मैंने'],
].map((word) => word.normalize('NFKC'));

/** `before` contains the words of the sentence that precede the clause. */
export function isHindiRefusal(words: string, before: string): boolean {
  const [said, lead] = [
    canonical(words.replaceAll(OWN_WORDS, '')),
    canonical(before.replaceAll(OWN_WORDS, '')),
  ];
  const limited = (text: string): boolean => hasAny(text.replaceAll(FOR_GOOD, ' '), LIMITS);
  if (hasAny(said, NOT_MEANT) || hasAny(lead, NOT_MEANT) || limited(said)) return false;
  if (REQUESTS.some((request) => request.test(said))) return true;
  const isForGood = said.search(FOR_GOOD) !== -1;
  if (DO_NOT_CALL.test(said)) return isForGood || (TO_ME.test(said) && !limited(lead));
  return isForGood && NOT_TO_BE_DONE.test(said) && !said.includes(' mujhe ');
}

const canonical = (words: string): string =>
  words.replaceAll(/[^ ]+/g, (word) => CANONICAL.get(word) ?? word);

const hasAny = (words: string, among: readonly string[]): boolean =>
  among.some((word) => words.includes(` ${word} `));
