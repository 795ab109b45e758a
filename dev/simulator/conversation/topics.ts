/** Derives the agent's lines from a prompt: its questions, and whatever it instructs the agent to ask, offer or explain. */

/** The rest of a longer prompt is ignored, which bounds the cost per call. */
const MAX_PROMPT_CHARS = 4000;
const MAX_LINE_CHARS = 220;

const VERB =
  '(?:ask|find out|check|confirm|verify|offer|propose|suggest|remind|tell|inform|explain|mention|invite)';
const PERSON =
  '(?:the |your |our )?(?:customers?|callers?|contacts?|users?|persons?|people|clients?|leads?|callees?|guests?|patients?|students?|parents?)';
const OBJECT = `(?:(?:them|him|her|him or her|${PERSON})\\s+)?`;

const SENTENCE_END = /(?<=[.!?])\s+|\n+/;
const CLAUSE_END = new RegExp(
  `[;,]?\\s+(?:and\\s+)?then\\s+|;\\s*|,\\s*(?:and\\s+)?(?=${VERB}\\b)|\\s+and\\s+(?=${VERB}\\b)`,
  'i',
);
const FORBIDDEN = /\b(?:never|not|don't|avoid|without|unless|refuse)\b/i;
const QUOTED_QUESTION = /["“]([^"”]{3,200}\?)["”]/;

const RULES: readonly (readonly [pattern: string, say: (rest: string) => string])[] = [
  [`ask ${OBJECT}(?:if|whether)\\s+(.+)`, (rest) => `May I ask whether ${rest}?`],
  [`ask ${OBJECT}for\\s+(.+)`, (rest) => `Could you give me ${rest}?`],
  [`ask ${OBJECT}to\\s+(.+)`, (rest) => `Could you please ${rest}?`],
  [`ask ${OBJECT}about\\s+(.+)`, (rest) => `Could you tell me a little about ${rest}?`],
  [
    `(?:ask|find out|check|verify|confirm) (?:with )?${OBJECT}((?:how|what|when|which|where|why|who)\\b.+)`,
    (rest) => `Could you tell me ${rest}?`,
  ],
  [
    `(?:find out|check|verify|confirm) (?:with )?${OBJECT}(?:if|whether|that)\\s+(.+)`,
    (rest) => `Can you confirm that ${rest}?`,
  ],
  [`(?:check|verify|confirm) ${OBJECT}(.+)`, (rest) => `Can you confirm ${rest}?`],
  [
    `(?:offer|propose|suggest|invite) ${OBJECT}to\\s+(.+)`,
    (rest) => `I would like to ${rest}. Would that suit you?`,
  ],
  [`(?:offer|propose|suggest) ${OBJECT}(.+)`, (rest) => `I can offer you ${rest}. Would that suit you?`],
  [
    `(?:remind|tell|inform|explain|mention) (?:to )?${OBJECT}that\\s+(.+)`,
    (rest) => `I also wanted to let you know that ${rest}.`,
  ],
  [
    `(?:remind|tell|inform) ${OBJECT}(?:about|of)\\s+(.+)`,
    (rest) => `I also wanted to remind you about ${rest}.`,
  ],
  [`remind ${OBJECT}to\\s+(.+)`, (rest) => `Please remember to ${rest}.`],
  [`(?:explain|mention) (?:to )?${OBJECT}(.+)`, (rest) => `Let me tell you about ${rest}.`],
  [
    `.*\\b(?:calls?|calling)\\b.*?\\b(?:about|regarding|because of)\\s+(.+)`,
    (rest) => `I am calling about ${rest}. Is now a good time?`,
  ],
];

const COMPILED = RULES.map(
  ([pattern, say]) => [new RegExp(`^(?:please |also |first,? |next,? )*${pattern}$`, 'i'), say] as const,
);

/** Returns the agent's lines in the order of the prompt, without repeats; empty if the prompt names no topic. */
export function topicsOf(prompt: string): string[] {
  const topics: string[] = [];
  for (const sentence of prompt.slice(0, MAX_PROMPT_CHARS).split(SENTENCE_END)) {
    for (const topic of topicsOfSentence(sentence)) if (!topics.includes(topic)) topics.push(topic);
  }
  return topics;
}

function topicsOfSentence(raw: string): string[] {
  const sentence = raw.replace(/^[\s\-*•#\d.)]+/, '').trim();
  const quoted = QUOTED_QUESTION.exec(sentence)?.[1];
  if (quoted !== undefined) return [quoted];
  if (sentence.endsWith('?')) return sentence.length <= MAX_LINE_CHARS ? [sentence] : [];
  return sentence.split(CLAUSE_END).flatMap((clause) => topicOfClause(clause) ?? []);
}

function topicOfClause(raw: string): string | null {
  const clause = raw.replace(/[.!:,\s]+$/, '').trim();
  if (clause === '' || clause.length > MAX_LINE_CHARS || FORBIDDEN.test(clause)) return null;
  for (const [pattern, say] of COMPILED) {
    const rest = pattern.exec(clause)?.[1];
    if (rest !== undefined) return say(addressed(rest));
  }
  return null;
}

const THIRD_PERSON = new RegExp(`\\b(?:he or she|they|them|${PERSON})\\b`, 'gi');
const POSSESSIVE = new RegExp(`\\b(?:their|his or her|${PERSON}['’]s?)(?![\\w])`, 'gi');
const AGREEMENT: readonly (readonly [RegExp, string])[] = [
  [/\byou is\b/g, 'you are'],
  [/\byou was\b/g, 'you were'],
  [/\byou has\b/g, 'you have'],
  [/\byou (want|need|like|own|use|plan|prefer|receive|remember|know)s\b/g, 'you $1'],
];

/** Rewrites a prompt's words about the customer in the second person, because the agent says "you" on the phone. */
function addressed(text: string): string {
  const second = text.replace(POSSESSIVE, 'your').replace(THIRD_PERSON, 'you');
  return AGREEMENT.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), second);
}
