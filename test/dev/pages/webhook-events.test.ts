import { webhookEventTables } from '../../../dev/pages/webhook-events';
import type { Shapes } from '../../../domain/shape';
import { COMMON_FIELDS, WEBHOOK_EVENTS } from '../../../domain/webhook-events';

/** Each table of fields with the line above it, which lists the events that have the fields. */
const parts = webhookEventTables().split('\n\n');
const tables = parts.flatMap((part, at) => {
  const title = /^(.+):$/.exec(part)?.[1];
  if (title === undefined) return [];
  return [
    { title, fields: [...(parts[at + 1] ?? '').matchAll(/^\| `([\w.]+)`/gm)].map(([, field]) => field) },
  ];
});

const isOf = (event: string, title: string): boolean =>
  title === 'Every body has' ||
  title === `All \`${event.split('.')[0]}.…\` events also have` ||
  (title.startsWith('Also in ') && title.includes(`\`${event}\``));

const pathsOf = (fields: Shapes, parent = ''): string[] =>
  Object.entries(fields).flatMap(([name, shape]) => [
    `${parent}${name}`,
    ...(shape.type === 'object' ? pathsOf(shape.fields, `${parent}${name}.`) : []),
  ]);

test.each(Object.entries(WEBHOOK_EVENTS))(
  'lists each field of %s once and no other field',
  (event, { fields }) => {
    const shown = tables.filter(({ title }) => isOf(event, title)).flatMap((table) => table.fields);
    expect(shown.sort()).toEqual(['event', ...pathsOf({ ...COMMON_FIELDS, ...fields })].sort());
  },
);
