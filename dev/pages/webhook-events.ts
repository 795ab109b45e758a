/** The part of `docs/webhooks.md` that says which events there are and what they hold. */
import type { Shape, Shapes } from '../../workflows/domain/shape';
import { COMMON_FIELDS, WEBHOOK_EVENTS } from '../../workflows/domain/webhook-events';
import { assertNever } from '../../workflows/domain/assert-never';
import { code, markdownTable } from './markdown';

export function webhookEventTables(): string {
  const events = Object.entries(WEBHOOK_EVENTS);
  const table = markdownTable(
    ['event', 'when', 'to'],
    events.map(([name, { when, to }]) => [code(name), when, code(to)]),
  );
  const bodies = new Map<string, Body>();
  for (const [name, { fields }] of events) {
    const key = JSON.stringify(fields);
    const body: Body = bodies.get(key) ?? { names: [], fields };
    body.names.push(name);
    bodies.set(key, body);
  }
  return [table, ...[...bodies.values()].map(bodyTable)].join('\n\n');
}

/** Events with the same fields share one. */
interface Body {
  names: string[];
  fields: Shapes;
}

function bodyTable({ names, fields }: Body): string {
  const event = [code('event'), 'text', 'The name of the event'];
  const rows = [event, ...rowsOf({ ...COMMON_FIELDS, ...fields })];
  return `The body of ${names.map(code).join(', ')}:\n\n${markdownTable(['field', 'type', 'meaning'], rows)}`;
}

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
      return shape.least === undefined ? 'integer' : `integer from ${shape.least}`;
    case 'word':
      return shape.of.map(code).join(', ');
    case 'texts':
      return 'list of texts';
    case 'object':
      return 'object';
    default:
      return assertNever(shape);
  }
}
