/** Turns `training.know_how.faq` and `training.knowledge.rag_knowledge_base_dict` into searchable passages. */
import type { ResolvedConfig } from '../../../domain/agent-config';
import { USES } from '../../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { entriesOf, type Entry, withinBudget } from '../entries';
import type { IgnoredSettings } from '../ignored-settings';

export interface Passage {
  /** The question of an FAQ entry, or the name of a text. */
  title: string;
  text: string;
  kind: 'faq' | 'knowledge';
}

const MAX_KNOWLEDGE_CHARS = 1_000_000;
const PASSAGE_CHARS = 700;
const DEEPEST = 4;

export function faqOf({ training }: Pick<ResolvedConfig, 'training'>, ignored: IgnoredSettings): Entry[] {
  const { entries, ignoredCount: count } = entriesOf(training.know_how.faq, USES.questions);
  ignored.add('training.know_how.faq', 'no text, or longer than 4,000 characters, or more than 2,000', count);
  return entries;
}

/** Reads named texts, nested up to a limit, such as `{"refunds": "…", "tariffs": {"home": "…"}}`. */
export function knowledgeOf(
  { training }: Pick<ResolvedConfig, 'training'>,
  ignored: IgnoredSettings,
): Passage[] {
  const part = 'training.knowledge.rag_knowledge_base_dict';
  const { entries, ignoredCount: count } = documentsOf(training.knowledge.rag_knowledge_base_dict);
  ignored.add(part, 'no text, or too long, or too many', count);
  const fitting = withinBudget(entries, ({ text }) => text.length, MAX_KNOWLEDGE_CHARS);
  ignored.add(part, 'beyond a million characters', entries.length - fitting.length);
  return fitting.flatMap(({ name, text }) =>
    cut(text).map((passage) => ({ title: name, text: passage, kind: 'knowledge' as const })),
  );
}

export const faqPassage = ({ name, text }: Entry): Passage => ({ title: name, text, kind: 'faq' });

function documentsOf(map: JsonObject, path = '', depth = 0): { entries: Entry[]; ignoredCount: number } {
  const own = entriesOf(map, USES.knowledge);
  const named = own.entries.map(({ name, text }) => ({ name: joined(path, name), text }));
  if (depth >= DEEPEST) return { entries: named, ignoredCount: own.ignoredCount };
  const inner = Object.entries(map).flatMap(([name, value]) =>
    isJsonObject(value) ? [documentsOf(value, joined(path, name), depth + 1)] : [],
  );
  return {
    entries: [...named, ...inner.flatMap(({ entries }) => entries)].slice(0, USES.knowledge.entries),
    ignoredCount: own.ignoredCount - inner.filter(({ entries }) => entries.length > 0).length,
  };
}

const joined = (path: string, name: string): string => [path, name].filter((part) => part !== '').join(', ');

/** Splits a long text at paragraph ends if possible, otherwise at sentence ends or between words. */
function cut(text: string): string[] {
  const passages: string[] = [];
  let current = '';
  for (const piece of text.split(/(?<=[.!?।॥]\s)|(?<=\n)/u).flatMap(bounded)) {
    if (current !== '' && current.length + piece.length > PASSAGE_CHARS) {
      passages.push(current.trim());
      current = '';
    }
    current += piece;
  }
  return [...passages, current.trim()].filter((passage) => passage !== '');
}

const bounded = (piece: string): string[] => piece.match(/[^]{1,700}(?=\s|$)|[^]{1,700}/g) ?? [];
