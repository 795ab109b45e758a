/**
 * Classifies the first words of a call as an answering machine or announcement, call screening, or a person. A single word never decides,
 * because people also say "unavailable" and "message".
 */
import { normalized, wordsOf } from '../../model/words';

const NAME_AND =
  ' (?:record|state|say|give|provide|leave|tell (?:me|us)) (?:me )?your (?:full )?name (?:and|or)';
const SUBJECT =
  '(?:number|subscriber|customer|user|person|party|mobile|phone|telephone|extension|line|airtel|jio|vodafone|vi|bsnl)';
const STATE =
  '(?:switched off|not reachable|unreachable|unavailable|not available|(?:currently |presently )?busy|engaged|not answering|not responding|not receiving|out of|not in|no longer in|disconnected|invalid|incorrect|barred|does not exist|doesnt exist|on another call|speaking to|temporarily|unable to)';
const HIM = '(?:him|her|them|it)';

type AnswererWords = 'machine' | 'screening' | 'person';

/** Returns null when both a person and a machine could say these words. */
export function answererOf(text: string): AnswererWords | null {
  const words = ` ${wordsOf(text).join(' ')} `;
  return RULES.find(({ patterns }) => patterns.test(words))?.shows ?? null;
}

/** Patterns must match text as `wordsOf` returns it: lower case, without apostrophes and punctuation. A space marks a word boundary. */
const anyOf = (...sources: readonly string[]): RegExp => new RegExp(sources.map(normalized).join('|'), 'u');
/** Phone assistants that ask who is calling and then connect the call if the person wants it. */
const CERTAIN_SCREENING = anyOf(
  ' reason (?:for|of|behind) (?:your |the |this )?call(?:ing)? ',
  ' purpose of (?:your |the |this )?call ',
  `${NAME_AND} (?:why|what|who|(?:the |your )?(?:reason|purpose))`,
  ' say (?:who you are|why you ?(?:a?re) calling|your name and why)',
  ' (?:who is|whos) calling and (?:why|what)',
  ' call screening ',
  ' screening (?:service|assistant|your call|this call|calls) ',
  ' screen(?:s|ed|ing)? (?:\\w+ )?(?:unknown |incoming |their |his |her |my |your |this )calls? ',
  ' see if (?:this person|the person|they|he|she|someone|\\w+) (?:is|are|s|re|can) (?:available|free|there|take)',
  ' (?:google|virtual|digital|call|personal|automated) assistant ',
  ' (?:google voice|we) will try to (?:connect|reach)',
  ' कॉल करने (?:का|की) (?:कारण|वजह|मकसद)',
  ' अपना नाम और ',
  ' call karne (?:ka|ki) (?:karan|wajah) ',
);
/** Network announcements use these phrases too, so the rules for machines come first. */
const LIKELY_SCREENING = anyOf(
  ' (?:stay|remain) on (?:the )?(?:line|call) ',
  ' hold the line ',
  ' (?:say|state|record|tell me) your name ',
  ' (?:connect|put) you (?:through|now|shortly) ',
  ' लाइन पर बने (?:रहें|रहिए)',
);
/** Matches "the person you are calling" and "the number you have dialed". */
const CALLED = `${SUBJECT} (?:that |which |whom )?(?:you |youre |youve )(?:\\w+ ){0,3}(?:call|dial|reach|contact)`;

/** Only recordings wait for a tone or a key, or report the state of the dialled number. */
const RECORDING = anyOf(
  ` ${CALLED}\\w* (?:\\w+ ){0,4}${STATE}`,
  ' press (?:\\d|one|two|three|four|five|six|seven|eight|nine|zero|star|hash|pound|any key) ',
  ' (?:after|at|following|hear|wait for) (?:the |a )?(?:beep|tone|signal) ',
  ' (?:reached|forwarded|redirected|transferred|diverted|directed|connected|welcome) (?:to |in |into )?(?:\\w+ ){0,6}(?:voice ?mail|mail ?box|answering (?:machine|service)|voice messag\\w+|message service)',
  ' (?:voice ?mail|message) ?(?:box|service) ',
  ' mail ?box (?:is|of|for|has|belongs|belonging) ',
  ' (?:you are|youre) now (?:being )?(?:recorded|recording)',
  ' record (?:your|a|the) (?:message|voice)',
  ' (?:बीप|टोन|ध्वनि) के बाद ',
  ' (?:beep|tone) ke baad ',
  ' (?:वॉइस|वॉयस|वॉईस) ?मेल',
  ' después (?:del tono|de la señal)',
  ' après (?:le|la) (?:bip|signal|tonalité)',
  ' nach dem (?:piep|signal|ton)',
  ' após o (?:sinal|bip|tom)',
);
/** Questions back to the caller, requests to wait, and offers to pass on a message. */
const PERSON = anyOf(
  ' (?:who is|whos) (?:this|calling|that|speaking|it|there|on the)',
  ' who (?:are you|am i|do you|shall i|should i|may i|gave you) ',
  ' whom (?:are|do|am) ',
  ' (?:may|can|could|shall|should) i (?:know|ask|have|help|take|leave|give|tell|say|call|speak) ',
  ' (?:what is|whats) (?:this|it|that|your|the matter)',
  ' (?:how|what) (?:can|may|could) i ',
  ' (?:which|what) company ',
  ' where are you ',
  ' what do you ',
  ' what (?:happened|time|about) ',
  ' would you (?:like|care|want|mind) ',
  ' do you (?:want|need|know|wish) ',
  ' (?:can|could|will) you (?:please )?(?:call|hold|wait|speak|repeat|hear|tell|say|send|text|try|give) ',
  ' are you (?:calling|from|a |there|sure)',
  ' is (?:this|that|it) (?:a|an|about|from|the|regarding|some) ',
  ' (?:one|just a|wait a|give me a|hang on a|half a) (?:\\w+ )?(?:moment|second|minute|sec|min) (?!while|as we|we are)',
  ' (?:hold|hang) on (?!while)',
  ' let me (?:check|see|get|ask|call|look|find|put|transfer) ',
  ` (?:ill|i will|i can|i shall) (?:get|call|tell|check|ask|see if|pass|let|inform|give) ${HIM} `,
  ` (?:ill|i will|i can|i shall) (?:pass|give) (?:it|that|this|the message|your (?:message|name|number)) (?:on )?to `,
  ' (?:ill|i will) (?:check|see|get back|be back|go and) (?:if|whether|and|with) ',
  ' tell me ',
  ' is (?:my|his|her|our) ',
  ' (?:this is|its) (?:he|she|him|her|me) ',
  '^ (?:\\w+ ){0,3}speaking $',
  ' (?:got|have|dialed|dialled|called) (?:the|a) wrong number',
  '^ (?:sorry |no )*(?:its a |this is a )?wrong number ',
  ' (?:not interested|say (?:that|it) again|cant hear you|come again|did you|have you) ',
  ' (?:my|i) (?:\\w+ )?was ',
  ' (?:he|she|they) (?:is|are|s|re|will|wont|cant|cannot|has|have|just|went|left|isnt|doesnt|does|didnt) ',
  ' (?:hes|shes|theyre|theyll|shell) ',
  ' (?:his|her|their) (?:phone|mobile|cell|number|desk) ',
  ' (?:कौन|किससे|किसको|किस काम) ',
  ' (?:एक|दो) (?:मिनट|मिनिट|सेकंड|सेकेंड) (?!बाद)',
  ' (?:रुकिए|रुको|रुकिये|होल्ड कीजिए|होल्ड करिए|बोलिए|बोलिये|बताइए|बताइये|बोलो|बताओ) ',
  ' (?:क्या काम|क्या बात|कहां से|कहाँ से|किस कंपनी) ',
  ' (?:गलत|रॉन्ग|रांग) नंबर (?:है|लगा|मिला|पर)',
  ' (?:उनका|उसका|इनका|मेरा|उनकी) (?:फोन|मोबाइल|नंबर) ',
  ' (?:kaun|kaon) ',
  ' (?:ek|do) (?:minute|minat|min|second|sec) ',
  ' (?:boliye|bolo|bataiye|batao|rukiye|ruko|kya kaam|kahan se|kis liye) ',
  ' (?:galat|wrong) number (?:hai|laga|lagaya)',
);

const MACHINE = anyOf(
  ` ${CALLED}`,
  ` (?:the|this|your) (?:\\w+ ){0,2}(?:number|subscriber|customer|mobile|phone|telephone|extension|line) (?:\\w+ ){0,3}(?:is|are|has|was|cannot|does|doesnt) (?:\\w+ ){0,2}${STATE}`,
  ' (?:is|are) (?:currently|presently|temporarily) (?:switched off|not reachable|unreachable|out of)',
  ' (?:you have|youve) (?:dialed|dialled|reached) (?:an|a) (?:incorrect|invalid|non working|number) ',
  ' (?:dialed|dialled|called) (?:number|party|person|subscriber|customer) ',
  ' (?:could not|couldnt|cannot|cant|unable to) (?:connect|complete|place|put through) your call ',
  ' network (?:is )?(?:currently )?busy ',
  ' out of (?:network |the )?coverage',
  '(?<! (?:ill|will|i|can|could|didnt|wont)) leave (?:\\w+ ){0,3}(?:message|number|details) ',
  ' (?:i|we) (?:\\w+ ){0,2}(?:cant|cannot|unable to|not able to) (?:\\w+ ){0,2}(?:take|answer|attend|receive) your call',
  ' (?:im|were|i am|we are|currently|sorry) (?:\\w+ ){0,2}(?:unable to|not able to|not available to) (?:\\w+ ){0,2}(?:take|answer|attend|receive|come|get)',
  ' (?:i|we) (?:cant|cannot) (?:\\w+ ){0,2}(?:come|get) to the phone',
  ' (?:cant|cannot|unable to|not able to) (?:take|answer|receive) your call ',
  ' (?:no one|nobody|none of (?:us|our \\w+)|no \\w+) (?:is|are) (?:\\w+ )?(?:available|able|here|free) to (?:take|answer|attend|receive|help|assist)',
  ' all (?:of )?(?:our |the )?(?:\\w+ ){0,2}(?:lines|circuits|routes|agents|operators|executives|representatives) (?:\\w+ ){0,3}(?:are|is)? ?(?:currently )?busy',
  ' your call (?:cannot|could not|cant|has been forwarded|is being forwarded|has been (?:diverted|redirected))',
  ' (?:not|isnt) accepting (?:any )?calls',
  ' dial (?:the |your )?extension',
  // Hindi.
  ' जिस (?:नंबर|नम्बर|व्यक्ति|ग्राहक|उपभोक्ता|सब्सक्राइबर|मोबाइल|फोन|एयरटेल|जियो) ',
  ' जि(?:नसे|ससे|से|न्हें) (?:आप )?(?:बात|संपर्क|कॉल) ',
  ' द्वारा (?:डायल|कॉल|मिलाया|मिलाए|लगाया) ',
  ' (?:डायल|कॉल) (?:किया|किए|की) (?:गया|हुआ|गए) ',
  ' (?:नंबर|नम्बर|मोबाइल|व्यक्ति|ग्राहक|उपभोक्ता|सब्सक्राइबर) (?:[^ ]+ ){0,4}(?:व्यस्त|बंद|बन्द|स्विच|स्विच्ड|उपलब्ध नहीं|पहुंच से बाहर|मौजूद नहीं|अमान्य|सेवा में नहीं)',
  ' (?:उत्तर|जवाब) नहीं (?:दे रह|मिल रहा|दिया जा)',
  ' कवरेज (?:क्षेत्र|एरिया) ',
  ' (?:नेटवर्क|पहुंच|पहुँच) (?:क्षेत्र )?(?:से|के) बाहर ',
  ' स्विच(?:ड|्ड)? ?(?:ऑफ|आफ) ',
  ' (?:संदेश|सन्देश|मैसेज) (?:छोड़ें|छोड़िए|छोड़िये|छोड़ दें|रिकॉर्ड)',
  ' (?:कॉल|फोन) (?:का )?(?:उत्तर|जवाब) (?:नहीं|देने में असमर्थ)',
  ' (?:सभी|सारी) लाइनें ',
  ' jis (?:number|nambar|vyakti|grahak|upbhokta|mobile) (?:par|pe|se|ko) ',
  ' dwara dial ',
  ' (?:uttar|jawab) nahi(?:n)? (?:de rahe|de raha|de rahi|mil raha)',
  ' (?:vyast|switch(?:ed)? off|uplabdh nahi|uplabdh nahin|coverage (?:area|kshetra) se bahar) (?:hai|he) (?:kripya|krupya|please)',
  ' (?:sandesh|message) (?:chhoden|chhodiye|chhod dein|chode|record karen)',
  // Marathi, Bengali, Gujarati, Punjabi, Odia.
  ' (?:डायल|कॉल) केलेला ',
  ' ज्या (?:नंबर|क्रमांक|व्यक्ती)',
  ' (?:नंबर|क्रमांक|ग्राहक) (?:[^ ]+ ){0,3}(?:बंद आहे|व्यस्त आहे|उपलब्ध नाही)',
  ' संपर्क क्षेत्राच्या बाहेर ',
  ' উত্তর (?:দিচ্ছেন|দিচ্ছে) না ',
  ' (?:ডায়াল|কল) করা (?:নম্বর|নাম্বার)',
  ' (?:যে|যেই) (?:নম্বর|নাম্বার|গ্রাহক|ব্যক্তি)',
  ' (?:নম্বর|নাম্বার)টি (?:[^ ]+ ){0,3}(?:বন্ধ|ব্যস্ত)',
  ' (?:ડાયલ|કૉલ|કોલ) કરેલ',
  ' તમે જે (?:નંબર|વ્યક્તિ)',
  ' કવરેજ (?:ક્ષેત્ર|એરિયા)',
  ' ਡਾਇਲ ਕੀਤਾ ',
  ' ਜਿਸ (?:ਨੰਬਰ|ਵਿਅਕਤੀ)',
  ' ਕਵਰੇਜ (?:ਖੇਤਰ|ਏਰੀਆ)',
  ' (?:ଡାଏଲ|ଡାୟଲ|କଲ) କରିଥିବା ',
  // Tamil, Telugu, Kannada, Malayalam, Urdu.
  ' நீங்கள் (?:அழைத்த|டயல் செய்த|அழைக்கும்|தொடர்பு கொள்ளும்|தொடர்பு கொண்ட) ',
  ' தொடர்பு எல்லைக்கு (?:வெளியே|அப்பால்)',
  ' మీరు (?:డయల్|కాల్) చేస',
  ' కవరేజ్? ?(?:ఏరియా|ప్రాంతం)',
  ' ನೀವು (?:ಡಯಲ್|ಕರೆ|ಕಾಲ್) ಮಾಡ',
  ' ವ್ಯಾಪ್ತಿ ಪ್ರದೇಶ',
  ' നിങ്ങൾ (?:ഡയൽ ചെയ്ത|വിളിച്ച|വിളിക്കുന്ന) ',
  ' പരിധിക്ക് പുറത്ത',
  ' (?:آپ کا |آپکا )?(?:ملایا|ڈائل کیا) (?:ہوا|گیا) ',
  ' مطلوبہ (?:نمبر|صارف)',
  // Languages from outside India.
  ' deje (?:su|un) mensaje ',
  ' el número (?:que|al que) (?:usted )?(?:ha )?(?:marcado|marcó|llama)',
  ' laissez (?:un|votre) message',
  ' le numéro que vous avez ',
  ' hinterlassen sie ',
  ' der (?:gewünschte|angerufene) ',
  ' deixe (?:a sua|sua|uma|o seu) (?:mensagem|recado)',
);

/** Recordings use these phrases too, but always with other words that only machines say. */
const LIKELY_PERSON = anyOf(
  ' call (?:me|us|him|her|them) (?:back|later|again|tomorrow|after|in|on|at|this|next) ',
  ' (?:i am|im|we are|were) (?:just |very |really |currently |right now )?(?:driving|eating|busy|in a meeting|in the middle|at work|at the doctor|at the hospital|in class|sleeping) ',
  ' (?:मैं|हम) .*(?:हूं|हूँ|दूंगा|दूंगी|दूँगा|दूँगी) ',
);

/** The first matching rule decides. */
const RULES: readonly { shows: AnswererWords; patterns: RegExp }[] = [
  { shows: 'screening', patterns: CERTAIN_SCREENING },
  { shows: 'machine', patterns: RECORDING },
  { shows: 'person', patterns: PERSON },
  { shows: 'machine', patterns: MACHINE },
  { shows: 'person', patterns: LIKELY_PERSON },
  { shows: 'screening', patterns: LIKELY_SCREENING },
];
