/** `training.know_how.faq` and `training.knowledge.rag_knowledge_base_dict` as passages that can be found. */
import { isJsonObject, valueAt } from '../../../workflows/domain/json';
import type { AgentConfig } from '../../../workflows/domain/agent-config';
import { entriesOf, type Entry } from '../entries';
import type { LeftOutList } from '../left-out';
import { thatFit } from '../that-fit';

export interface Passage {
  /** The question, or what the text is called. */
  title: string;
  text: string;
  kind: 'faq' | 'knowledge';
}

const FAQ_BOUNDS = { most: 2_000, longest: 4_000 };
/** Of a whole document, which is cut into passages. */
const KNOWLEDGE_BOUNDS = { most: 500, longest: 500_000 };
const MOST_KNOWLEDGE_CHARS = 1_000_000;
const PASSAGE_CHARS = 700;

export function faqOf(config: AgentConfig, leftOut: LeftOutList): Entry[] {
  const { entries, leftOut: count } = entriesOf(valueAt(config, 'training', 'know_how', 'faq'), FAQ_BOUNDS);
  leftOut.add('training.know_how.faq', 'no text, or longer than 4,000 characters, or more than 2,000', count);
  return entries;
}

/** Text that the client keeps under names, however deep, for instance `{"refunds": "…", "tariffs": {"home": "…"}}`. */
export function knowledgeOf(config: AgentConfig, leftOut: LeftOutList): Passage[] {
  const part = 'training.knowledge.rag_knowledge_base_dict';
  const { entries, leftOut: count } = documentsOf(
    valueAt(config, 'training', 'knowledge', 'rag_knowledge_base_dict'),
  );
  leftOut.add(part, 'no text, or too long, or too many', count);
  const fitting = thatFit(entries, ({ text }) => text.length, MOST_KNOWLEDGE_CHARS);
  leftOut.add(part, 'beyond a million characters', entries.length - fitting.length);
  return fitting.flatMap(({ name, text }) =>
    cut(text).map((passage) => ({ title: name, text: passage, kind: 'knowledge' as const })),
  );
}

export const faqPassage = ({ name, text }: Entry): Passage => ({ title: name, text, kind: 'faq' });

function documentsOf(value: unknown, path = '', depth = 0): { entries: Entry[]; leftOut: number } {
  const own = entriesOf(value, KNOWLEDGE_BOUNDS);
  const named = own.entries.map(({ name, text }) => ({ name: joined(path, name), text }));
  if (!isJsonObject(value) || depth >= 4) return { entries: named, leftOut: own.leftOut };
  // Objects that hold no text of their own hold more under names.
  const inner = Object.entries(value)
    .filter(([, item]) => isJsonObject(item) || Array.isArray(item))
    .filter(([name]) => !own.entries.some((entry) => entry.name === name.trim()))
    .map(([name, item]) => documentsOf(item, joined(path, name), depth + 1));
  return {
    entries: [...named, ...inner.flatMap(({ entries }) => entries)].slice(0, KNOWLEDGE_BOUNDS.most),
    leftOut: own.leftOut - inner.filter(({ entries }) => entries.length > 0).length,
  };
}

const joined = (path: string, name: string): string => [path, name].filter((part) => part !== '').join(', ');

/** At ends of paragraphs, then of sentences, then of words. */
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
