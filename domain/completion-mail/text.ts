import type { MailContent, MailSection } from './content';

/** Renders the content as plain text with aligned tables. */
export function textOf({ title, lead, sections, end }: MailContent): string {
  return [
    title,
    ...lead,
    '',
    ...sections.flatMap((section) => [...sectionLines(section), '']),
    ...end,
    '',
  ].join('\n');
}

function sectionLines({ heading, rows, points }: MailSection): string[] {
  const width = Math.max(0, ...rows.map(({ label }) => label.length));
  return [
    heading,
    ...rows.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`),
    ...points.map((point) => `  - ${point}`),
  ];
}
