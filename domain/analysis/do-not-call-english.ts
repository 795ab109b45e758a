/** Detects English opt-outs in the output of `wordsOf`: lowercase words without apostrophes, surrounded by single spaces. */

const CALL = '(?:call|phone|ring|contact|dial|telephone)';
const CALLING = '(?:calling|phoning|ringing|contacting|dialing|dialling|telephoning)';
const NUMBER = '(?:(?:phone|mobile|cell|telephone|contact) )?number';
const ME = `(?:me|us|here|(?:on |at |to )?(?:this|my) (?:${NUMBER}|phone|line|house|home))`;
const MINE = `(?:me|us|my (?:name|${NUMBER})|this ${NUMBER})`;
const YOU = '(?:you|you people|you guys|you all|anyone|anybody|your (?:company|bank|people|team))';
const NEVER = '(?:(?:dont|do not)(?: you)?(?: ever| dare)?|never(?: ever)?)';
const SHOULD_NOT =
  '(?:should not|shouldnt|must not|mustnt|may not|are not to|are not allowed to|had better not|better not)';
const LIST =
  '(?:off|from|out of)(?: of)?(?: (?:your|the|this|that|these|all|any|calling|call|calls|contact|marketing|phone|sales)){0,4}' +
  ' (?:list|lists|database|databases|records|system|systems)';

const COURTESY =
  '(?:please|ok|okay|sir|madam|maam|thanks|thank you|bye|goodbye|guys|you people|you guys|understood|alright|all right)';
const END = `(?: ${COURTESY})* $`;
/** "Stop calling me now" is a permanent opt-out, unlike "don't call me now". */
const END_OR_REASON = `(?:(?: (?:${COURTESY}|now|right now|at once|immediately))* $| (?:or|because|otherwise|i|im|its) )`;

/** Words after "again" that limit the demand ("before six", "about the loan") or show that the speaker quotes it ("she said"). */
const LIMITS = [
  ...[
    'before',
    'until',
    'till',
    'after',
    'today',
    'tonight',
    'tomorrow',
    'now',
    'right',
    'so',
    'about',
    'for',
  ],
  ...[
    'on',
    'at',
    'in',
    'by',
    'during',
    'while',
    'when',
    'if',
    'unless',
    'without',
    'with',
    'from',
    'as',
    'except',
  ],
  ...[
    'this',
    'next',
    'he',
    'she',
    'they',
    'is',
    'was',
    'but',
    'only',
    'just',
    'like',
    'a',
    'an',
    'that',
    'later',
  ],
].join('|');
const AGAIN = '(?:again|anymore|any more|any longer|ever|in future|in the future|from now on|at all)';
const FOR_GOOD = `(?: ${AGAIN})+(?: ${ME})?(?! (?:${LIMITS}) )`;

const CALL_ME_AGAIN = `(?:${CALL}(?: back)?(?: ${ME}){0,2}|(?:bother|disturb) (?:me|us))${FOR_GOOD}`;
const CALL_ME = `(?:${CALL_ME_AGAIN}|${CALL}(?: ${ME}){1,2}${END})`;

/** Phrases that are an opt-out only as a demand (see `isDemand`). */
const DEMANDS = patterns(
  `${NEVER} ${CALL_ME_AGAIN}`,
  `(?:stop|quit) (?:${CALLING}(?: ${ME}){0,2}|(?:bothering|disturbing) (?:me|us))(?:${FOR_GOOD})?${END_OR_REASON}`,
  `stop (?:(?:these|the|all|your|making|this) ){0,2}calls${END}`,
  `no more (?:(?:phone|of your|of these) )?calls(?: from ${YOU})?(?: to ${ME})?(?: ${AGAIN})?${END}`,
  `(?:remove|delete|take|strike|drop|get) ${MINE} ${LIST} `,
  `(?:remove|delete|erase) (?:my|this) ${NUMBER}${END}`,
  `(?:put|add|place|register) ${MINE}(?: (?:on|in|to|into|under))?(?: (?:your|the|a))? (?:do not call|dont call|do not disturb|dnd) `,
);
/** "Don't call me" may refer only to the current moment. */
const BARE_DEMANDS = patterns(`${NEVER} ${CALL}(?: ${ME}){1,2}${END}`);
const MOMENT =
  / (?:now|today|tonight|later|tomorrow|moment|busy|driving|meeting|working|work|office|sleeping|asleep|hospital|morning|evening|night) /;

/** Sentences whose subject shows that the speaker wants no calls. */
const STATEMENTS = patterns(
  `(?:i|we)(?: really| just| clearly| simply| also)? (?:dont|do not|no longer|never)(?: ever)? (?:want|wish) (?:for )?${YOU} (?:to(?: ever)? ${CALL_ME}|${CALLING}(?: ${ME}){1,2}(?:${FOR_GOOD}|${END}))`,
  `(?:i|we)(?: really| just| clearly| simply| also)? (?:dont|do not|no longer) (?:want|wish)(?: to (?:get|receive|have))?(?: (?:to be (?:called|contacted)|(?:any more|any|more|these|your|further)(?: of (?:these|your))? calls))(?: from ${YOU})?(?:${FOR_GOOD}|${END})`,
  `you(?: people| guys)? ${SHOULD_NOT}(?: ever)? ${CALL_ME}`,
  `(?:i|ive|im|we)(?: have| had| am| are)?(?: already)? (?:told|asked|warned|telling|asking|ask|beg|request) you(?: people| guys| all)? (?:not to|to not|never to)(?: ever)? ${CALL_ME}`,
  `(?:i|we|id) (?:want|would like|like) (?:to be|${MINE}(?: to be)?) (?:removed|deleted|taken|struck) ${LIST} `,
);

/** Phrases that introduce the speaker's own demand, such as "I already told you: stop calling". */
const OWN_WORDS =
  /(?<= )(?:i|ive|im|we|weve)(?: (?:have|had|am|do|keep|already|just|clearly))* (?:said|told you|tell you|telling you|asked you|ask you|asking you|beg you|begging you)(?: (?:people|guys|all))?(?= )/g;
/** Words that mark reports, denials and conditions. */
const NOT_MEANT =
  / (?:said|say|says|saying|told|tell|tells|telling|asked|ask|asks|asking|wrote|writes|heard|hear|thought|think|thinks|mean|means|meant|if|when|whenever|unless|until|till|why|who|whether|not that|song|joking|kidding|pretend|suppose) /;
const REPORT_AFTER = /^ (?:(?!i )\w+ ){1,2}(?:said|says|told|asked) /;

/** A demand must follow the start of the clause, a courtesy or "you". "My sons never call me" is not a demand. */
const DEMAND_BEFORE = [
  /(?:^| (?:please|kindly|interested|busy|thanks|thank you|sir|madam|maam|i said|(?:told|telling|asking|beg) you(?: people| guys| all)?|from now on))(?: (?:please|just|also|simply|well|now|then|so|and|but|or|ok|okay|no|yes|yeah|hey|hello|hi|listen|look|seriously|sorry|sir|madam|maam|bye|alright|guys|bhai|ji))* $/,
  /^ (?:please|i|im|we|take|remove|delete|hang|stop|not|no|go|leave) (?:\w+ )*(?:and|so) (?:please |just |kindly )?$/,
  / (?:can|could|will|would) you (?:please |just |kindly )?$/,
  / you (?:to |must |should |need to |have to |better |had better )(?:please |just )?$/,
  /^ (?:i|we) (?:want|demand) $/,
];
/** Negations, such as "I don't want you to stop calling". */
const NEGATED =
  / (?:dont|do not|never|not|didnt|did not|doesnt|wont|cant|cannot) (?:(?:please|just|ever|want|wish|need|like|ask|asking|tell|telling|you|anyone|them|to) )*$/;

export function isEnglishRefusal(words: string, around: { before: string; after: string }): boolean {
  if (REPORT_AFTER.test(around.after)) return false;
  const isOwn = (lead: string): boolean =>
    !NOT_MEANT.test(lead.replaceAll(OWN_WORDS, '')) &&
    !NOT_MEANT.test(around.before.replaceAll(OWN_WORDS, ''));
  if (leads(STATEMENTS, words).some(isOwn)) return true;
  const isDemand = (lead: string): boolean =>
    isOwn(lead) && !NEGATED.test(lead) && DEMAND_BEFORE.some((before) => before.test(lead));
  if (leads(DEMANDS, words).some(isDemand)) return true;
  if (MOMENT.test(around.before) || MOMENT.test(words) || !new RegExp(`^${END}`).test(around.after))
    return false;
  return leads(BARE_DEMANDS, words).some(isDemand);
}

function patterns(...sources: readonly string[]): RegExp[] {
  return sources.map((source) => new RegExp(` ${source}`, 'g'));
}

/** Returns the text before each match in the clause. */
const leads = (expressions: readonly RegExp[], words: string): string[] =>
  expressions.flatMap((expression) =>
    [...words.matchAll(expression)].map(({ index }) => words.slice(0, index + 1)),
  );
