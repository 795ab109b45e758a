/** Generates the part of `docs/webhooks.md` that lists the events and their fields. */
import type { Shape, Shapes } from '../../domain/shape';
import { COMMON_FIELDS, WEBHOOK_EVENTS } from '../../domain/webhook-events';
import { assertNever } from '../../domain/assert-never';
import { code, markdownTable } from './tables';

/** Lists each field once: first the fields that all events share, then those of each subject, then the rest by event. */
export function webhookEventTables(): string {
  const events = Object.entries(WEBHOOK_EVENTS).map(([name, { fields }]): Body => ({ name, fields }));
  const table = markdownTable(
    ['event', 'when', 'to'],
    Object.entries(WEBHOOK_EVENTS).map(([name, { when, to }]) => [code(name), when, code(to)]),
  );
  const ofAll = sharedFields(events);
  const event = [code('event'), 'text', 'Name of the event'];
  const everywhere = fieldTable('Every body has:', [event, ...rowsOf({ ...COMMON_FIELDS, ...ofAll })]);
  const subjects = [...new Set(events.map(({ name }) => subjectOf(name)))];
  const bySubject = subjects.flatMap((subject) => {
    const bodies = without(
      events.filter(({ name }) => subjectOf(name) === subject),
      ofAll,
    );
    const shared = sharedFields(bodies);
    return [
      fieldTable(`All ${code(`${subject}.…`)} events also have:`, rowsOf(shared)),
      ...restTables(without(bodies, shared)),
    ];
  });
  return [table, everywhere, ...bySubject].join('\n\n');
}

interface Body {
  name: string;
  fields: Shapes;
}

const subjectOf = (name: string): string => name.split('.')[0] ?? name;

const isSame = (one: Shape, other: Shape | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const sharedFields = ([first, ...others]: readonly Body[]): Shapes =>
  keeping(first?.fields ?? {}, (name, shape) => others.every(({ fields }) => isSame(shape, fields[name])));

const without = (bodies: readonly Body[], shared: Shapes): Body[] =>
  bodies.map(({ name, fields }) => ({ name, fields: keeping(fields, (field) => !(field in shared)) }));

const keeping = (fields: Shapes, isKept: (name: string, shape: Shape) => boolean): Shapes =>
  Object.fromEntries(Object.entries(fields).filter(([name, shape]) => isKept(name, shape)));

/** Events with the same remaining fields share a table. An event without any gets no table. */
function restTables(bodies: readonly Body[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, fields } of bodies) {
    const rest = JSON.stringify(fields);
    names.set(rest, [...(names.get(rest) ?? []), name]);
  }
  return [...names.values()].flatMap((sharing) => {
    const rows = rowsOf(bodies.find(({ name }) => name === sharing[0])?.fields ?? {});
    return rows.length === 0 ? [] : [fieldTable(`Also in ${sharing.map(code).join(', ')}:`, rows)];
  });
}

const fieldTable = (title: string, rows: readonly string[][]): string =>
  `${title}\n\n${markdownTable(['field', 'type', 'meaning'], rows)}`;

function rowsOf(fields: Shapes, parent = ''): string[][] {
  return Object.entries(fields).flatMap(([name, shape]) => {
    const path = `${parent}${name}`;
    const row = [code(path), typeName(shape), shape.meaning ?? ''];
    return shape.type === 'object' ? [row, ...rowsOf(shape.fields, `${path}.`)] : [row];
  });
}

function typeName(shape: Shape): string {
  const type = plainTypeName(shape);
  return `${type}${shape.nullable === true ? ' or null' : ''}${shape.optional === true ? ', optional' : ''}`;
}

function plainTypeName(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return 'text';
    case 'id':
      return 'UUID';
    case 'timestamp':
      return 'ISO 8601, UTC';
    case 'flag':
      return 'boolean';
    case 'integer':
      return shape.min === undefined ? 'integer' : `integer from ${shape.min}`;
    case 'number':
      return 'number';
    case 'word':
      return shape.of.map(code).join(', ');
    case 'texts':
      return 'list of texts';
    case 'object':
      return 'object';
    case 'objects':
      return 'list of objects';
    default:
      return assertNever(shape);
  }
}
