/** Sections of an agent: what no maximum allows, and then the most that the maxima allow. */
import {
  dataPoints,
  dispositions,
  faq,
  full,
  json,
  keyed,
  MOST_BYTES,
  outbound,
  repeated,
  rules,
  wrapped,
  type BodyCase,
} from './body-case';

type Written = [section: string, name: string, body: () => string];

const BEYOND: Written[] = [
  ['deployment', '60,000 numbers', () => wrapped(outbound(repeated('"+919876543210"', 60_000)))],
  ['deployment', '200,000 that are none', () => wrapped(outbound(repeated('"x"', 200_000)))],
  ['analysis', '253 KiB of dispositions', () => dispositions(full('{}', 253 * 1024))],
  ['analysis', '60,000 empty data_points', () => dataPoints(repeated('{}', 60_000))],
  ['training', 'a mebibyte of rules with triggers', () => rules(full('{"triggers":[0,0,0]}'))],
  ['training', '60,000 questions', () => faq(keyed(60_000, '"a"', 'q'))],
  ['persona', '60,000 keys of metadata', () => `{"metadata":${keyed(60_000, '"v"')}}`],
  ['persona', '15,000 headers that are secrets', () => actionsWith(1, 15_000)],
  ['persona', 'a mebibyte of empty lists', () => `{"own":${full('[]')}}`],
  ['persona', 'a mebibyte of empty objects', () => `{"own":${full('{}')}}`],
  ['persona', 'a mebibyte of unique keys', () => `{"own":${keyed(100_000, '0', '')}}`],
  ['persona', 'nested to a mebibyte', () => `{"own":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['persona', 'keys of 100 KiB with faults in them', () => `{"own":${longKeys(10, 100 * 1024)}}`],
  [
    'experience',
    '200,000 filler words that are none',
    () => `{"conversational_experience":{"filler_words":{"filler_words_list":${repeated('0', 200_000)}}}}`,
  ],
];

/** Lists and maps of as many entries as they may have, right and wrong. Those that are accepted are merged into what the last left. */
const MOST: Written[] = [
  ['deployment', '2,000 numbers', () => wrapped(outbound(repeated('"+919876543210"', 2_000)))],
  ['deployment', '2,000 that are none', () => wrapped(outbound(repeated('"x"', 2_000)))],
  ['analysis', '500 dispositions and 500 facts, all empty', () => allAnalyses()],
  ['analysis', 'the last of 19,000 tags wrong', () => dispositions(`[${tags(38, 500)},{}]`)],
  ['training', '19,500 triggers, the last wrong', () => rules(`[${triggers(39, '"x"')},{"triggers":[0]}]`)],
  ['training', '19,500 triggers, all wrong', () => rules(`[${triggers(39, '0')}]`)],
  ['training', '19,500 triggers', () => rules(`[${triggers(39, '"x"')}]`)],
  ['training', 'no rules', () => rules('[]')],
  ['training', '6,000 questions', () => faq(keyed(6_000, `"${'a'.repeat(100)}"`, 'q'))],
  ['training', '6,000 questions with other answers', () => faq(keyed(6_000, `"${'b'.repeat(100)}"`, 'q'))],
  ['persona', '1,000 keys of metadata', () => `{"metadata":${keyed(1_000, '"v"')}}`],
  ['persona', '500 secrets in 200 actions', () => actionsWith(200, 2)],
  ['persona', '6,000 own objects', () => `{"own":${repeated('{"a":[]}', 6_000)}}`],
  ['persona', 'keys of 1,000 with faults in them', () => `{"own":${longKeys(900, 1_000)}}`],
  ['experience', '1,000 filler words that are none', () => fillerWords()],
  [
    'training',
    'a mebibyte of knowledge',
    () => `{"knowledge":{"rag_knowledge_base_dict":{"a":${longText()}}}}`,
  ],
];

export function configurationCases(agentId: string): BodyCase[] {
  const path = `/api/agent/${agentId}`;
  return [...BEYOND, ...MOST].map(([section, name, body]) =>
    json('PATCH', `${path}/${section}`, `${section}: ${name}`, body),
  );
}

function allAnalyses(): string {
  const [found, facts] = [dispositions(repeated('{}', 500)), dataPoints(repeated('{}', 500))];
  return `${found.slice(0, -1)},${facts.slice(1)}`;
}

const tags = (count: number, each: number): string =>
  repeated(`{"name":"a","type":"string","prompt":"p","list_of_tags":${keyed(each, '"t"')}}`, count).slice(
    1,
    -1,
  );

const triggers = (count: number, trigger: string): string =>
  repeated(`{"triggers":${repeated(trigger, 500)}}`, count).slice(1, -1);

function actionsWith(count: number, headers: number): string {
  const action = `{"type":"http_request","headers":${keyed(headers, '"Bearer 0123456789"', 'x-api-key-')}}`;
  return `{"actions":${keyed(count, action, 'ask')}}`;
}

const longKeys = (count: number, length: number): string =>
  keyed(count, '{"constructor":0,"a\\u0000":0}', 'k'.repeat(length - 5));

const fillerWords = (): string =>
  `{"conversational_experience":{"filler_words":{"filler_words_list":${repeated('0', 1_000)}}}}`;

/** Below what a configuration may hold, with all that the other sections hold. */
const longText = (): string => JSON.stringify('é'.repeat(MOST_BYTES / 3));
