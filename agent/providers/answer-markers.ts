/** Recognises the markers that models write around their answer: reasoning tags, tool calls as text, roles and special tokens. */
import { REASONING_TAGS } from '../../domain/model-reasoning';

const TOOLS =
  'tool_calls?|tool_use|tool_code|tool_response|tools?|function_calls?|function_response|functions?|invoke|parameters?';
/** Text between these tags is the answer, so only the tags themselves are removed. */
const ANSWERS = 'answer|final_answer|final|output|response|reply|solution';
const THOUGHT = 'think(?:ing)?|thoughts?|reasoning';
const BAR = '[|｜]';
/** Some servers escape text that looks like HTML. */
const LESS = '(?:[<＜]|&lt;)';
const GREATER = '(?:[>＞]|&gt;)';
const PREFIX = '(?:[a-z_]+:)?';
const HEADER = '(?:channel|start|im_start|start_header_id)';
/** Longest text that can be an incomplete marker. */
export const LONGEST_PARTIAL = 240;
const PARTIALS = [
  /[<＜](?:\s*[/a-z0|｜<!][^<>＞]*)?$/iu,
  /&(?:l|lt|lt;[^&<>]*(?:&g?t?)?)?$/iu,
  /<\|(?:channel|start|im_start|start_header_id)\|>[^]*$/iu,
  /<start_of_turn>\s*[a-z]*\s*$/iu,
  /\[\/?[a-z_]*$/iu,
  /◁[^▷]*$/u,
  /`{1,3}[\w+-]*$/u,
  /\[?\s*\{\s*$/u,
  // More text could turn a word into the name of a called tool.
  /(?:[a-z]\w*|(?:functions|default_api|tools)\.[\w.:-]*\s?)$/iu,
];
const SPEAKERS = ['assistant', 'ai assistant', 'ai', 'bot', 'agent', 'user', 'human'];

/** Each entry becomes a named group of the pattern. Its inner group captures the name that decides how to continue. */
const SOURCES = {
  open: `${LESS}\\s*${PREFIX}(?<opened>${REASONING_TAGS})(?:\\s[^<>]*[^<>/])?\\s*${GREATER}|\\[(?<openedSquare>THINK|REASONING)\\]|◁(?<openedTriangle>think)▷|<${BAR}(?:(?:begin|start)[_▁](?:of[_▁])?)?(?:${THOUGHT})${BAR}>|<\\|channel>\\s*thought|<unused94>`,
  close: `${LESS}\\s*/\\s*${PREFIX}(?<closed>${REASONING_TAGS})\\s*${GREATER}|\\[/(?<closedSquare>THINK|REASONING)\\]|◁/(?<closedTriangle>think)▷|<${BAR}(?:/|end[_▁](?:of[_▁])?)(?:${THOUGHT})${BAR}>|<channel\\|>|<unused95>`,
  // Servers that strip special tokens leave `analysis…assistantfinal…`.
  channel: `<\\|channel\\|>\\s*(?<channelName>[a-z]*)[^<]*(?:<\\|constrain\\|>[^<]*)?<\\|message\\|>|assistant(?<bareChannel>final|commentary|analysis)|(?<=^\\s*)(?<firstChannel>analysis)(?=[a-z])`,
  role: `(?:<\\|im_start\\|>|<start_of_turn>|<\\|start\\|>|<\\|start_header_id\\|>)\\s*(?<roleName>[a-z]+)\\s*(?:<\\|end_header_id\\|>\\s*)?|<${BAR}(?<bareRole>user|assistant|system|observation)${BAR}>`,
  speaker: `(?<=(?:^|\\n)\\s*)\\*{0,2}(?<speakerName>(?:ai )?assistant|ai|bot|agent|user|human)\\*{0,2}[ \\t]*[:：]\\*{0,2}[ \\t]*`,
  answer: `<\\s*(?:${ANSWERS})\\s*>|<\\|(?:begin_of_solution|START_RESPONSE)\\|>`,
  tool: `<\\s*${PREFIX}(?<toolName>${TOOLS})(?:[\\s=][^<>]*[^<>/])?\\s*>`,
  toolEnd: `<\\s*/\\s*${PREFIX}(?<closedTool>${TOOLS})\\s*>`,
  toolToken: `<${BAR}tool[▁_ ]calls?(?:[▁_ ]section)?(?:[▁_ ]begin)?${BAR}>`,
  toolTokenEnd: `<${BAR}(?:/tool[▁_ ]calls?|tool[▁_ ]calls?(?:[▁_ ]section)?[▁_ ]end)${BAR}>`,
  rest: `\\[TOOL_CALLS\\]|<\\|python_tag\\|>`,
  fence: '```(?<language>[\\w+-]*)',
  call: `(?:(?:functions|default_api|tools)\\.[\\w.-]+(?::\\d+)?\\s?|(?<![\\w.])[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?=[({])`,
  json: `(?=\\[\\s*\\{\\s*["'“]|\\{\\s*["'“])`,
  token: `<${BAR}(?!${HEADER}${BAR})[^|｜<>\\n]{1,60}${BAR}>|</?s>|<(?:eos|bos|pad|unk|eot|eom|end_of_turn|end_of_utterance|endoftext|unused\\d+|0x[0-9a-f]{2})>|\\[/?INST\\]|<</?SYS>>|\\[(?:BOS|EOS)\\]|<\\s*/\\s*(?:${ANSWERS})\\s*>|<\\s*${PREFIX}(?:${REASONING_TAGS}|${TOOLS})(?:\\s[^<>]*)?/>|</?[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?:\\s[^<>]*)?/?>|<!--[^]*?-->`,
} as const;

type MarkerKind = keyof typeof SOURCES;

const isKind = (name: string): name is MarkerKind => name in SOURCES;
const KINDS = Object.keys(SOURCES).filter(isKind);
const MARK = new RegExp(KINDS.map((kind) => `(?<${kind}>${SOURCES[kind]})`).join('|'), 'giu');

export interface Marker {
  kind: MarkerKind;
  at: number;
  end: number;
  /** Name of the tag, channel, role or language. Empty when the marker has none. */
  name: string;
}

/** Returns the first marker after `from`, or null. */
export function nextMarker(text: string, from: number): Marker | null {
  MARK.lastIndex = from;
  const match = MARK.exec(text);
  if (match === null) return null;
  const found = Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined);
  const kind = found.map(([group]) => group).find(isKind);
  if (kind === undefined) return null;
  const name = found.find(([group]) => !isKind(group))?.[1] ?? '';
  return { kind, at: match.index, end: match.index + match[0].length, name: name.toLowerCase() };
}

/** `thinking` also closes `think`, because models mix them up. */
export const familyOf = (name: string): string => (/^th(?:ink|ought)/.test(name) ? 'think' : name);

/** Returns the position of an incomplete header after `from`, or null. */
export function headerFrom(text: string, from: number): number | null {
  const at = text.indexOf('<|channel|>', from);
  return at === -1 ? null : at;
}

/** Returns the position from which the text could still become a marker. */
export function partialFrom(text: string, from: number): number {
  const start = Math.max(from, text.length - LONGEST_PARTIAL);
  const tail = text.slice(start);
  const found = PARTIALS.map((partial) => tail.search(partial)).filter((at) => at !== -1);
  const lineAt = text.lastIndexOf('\n') + 1;
  const isLineStart = text.slice(lineAt, from).trim() === '';
  if (isLineStart && mayNameSpeaker(text.slice(lineAt))) found.push(Math.max(0, lineAt - start));
  return start + Math.min(tail.length, ...found);
}

function mayNameSpeaker(line: string): boolean {
  const words = line.replaceAll('*', '').trimStart().toLowerCase();
  return SPEAKERS.some((one) => one.startsWith(words) || one === words.trimEnd());
}

/** Returns true if the tail looks like a marker that was cut off at the end of the answer, not like words. */
export const isCutMarker = (tail: string): boolean =>
  /^(?:[<＜]\s*[/|｜a-z!]|&lt;|◁|`{2}|\[\/?[A-Z_]{3,}$)/iu.test(tail);
