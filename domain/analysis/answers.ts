import type { DataPoint, DispositionItem } from '../agent-config';
import { assertNever } from '../assert-never';
import { NEITHER, NO, YES } from './phrases';
import { allMentioned, lastMentioned, mentioned } from './wording';

/** Returns the configured value that the user mentioned last. Returns null if there is none, because rules can't extract free text. */
export function dataPointValue(point: DataPoint, userText: string): unknown {
  const { values } = point;
  const spoken = lastMentioned(userText, values.map(String));
  return spoken === null ? null : values.find((value) => String(value) === spoken);
}

/** Returns the answer to a disposition, or null if the user's words don't decide it. */
export function dispositionValue(item: DispositionItem, userText: string): string | number | boolean | null {
  switch (item.type) {
    case 'bool':
      return saidYes(userText);
    case 'string':
      return lastMentioned(userText, tagsOf(item));
    case 'number':
      return lastNumber(userText);
    default:
      return assertNever(item.type);
  }
}

export function mentionedTags(items: readonly DispositionItem[], userText: string): string[] {
  return [...new Set(items.flatMap((item) => mentioned(userText, tagsOf(item))))];
}

/** Returns the user's last clear yes or no. Null if there was neither. Ignores courtesies. */
export function saidYes(userText: string): boolean | null {
  const said = allMentioned(userText, [...YES, ...NO, ...NEITHER]);
  const last = said.filter((phrase) => !NEITHER.includes(phrase)).at(-1);
  return last === undefined ? null : YES.includes(last);
}

const tagsOf = (item: DispositionItem): string[] => Object.keys(item.list_of_tags);

function lastNumber(userText: string): number | null {
  const last = userText.match(/\d[\d,]*(?:\.\d+)?/g)?.at(-1);
  const value = last === undefined ? Number.NaN : Number(last.replaceAll(',', ''));
  return Number.isFinite(value) ? value : null;
}
