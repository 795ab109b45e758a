import type { MailContent, MailSection } from './content';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Uses only inline styles and no external resources, because mail programs drop everything else. */
export function htmlOf({ title, lead, sections, end }: MailContent): string {
  const paragraphs = (sentences: readonly string[]) => sentences.map((each) => `<p>${escaped(each)}</p>`);
  return [
    '<!DOCTYPE html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>`,
    '<body style="font-family: sans-serif; color: #222; max-width: 40em">',
    `<h1 style="font-size: 1.4em">${escaped(title)}</h1>`,
    ...paragraphs(lead),
    ...sections.map(sectionHtml),
    ...paragraphs(end),
    '</body></html>',
    '',
  ].join('\n');
}

function sectionHtml({ heading, rows, points }: MailSection): string {
  const cells = rows.map(
    ({ label, value }) =>
      `<tr><td style="padding: 2px 24px 2px 0">${escaped(label)}</td><td><b>${escaped(value)}</b></td></tr>`,
  );
  return [
    `<h2 style="font-size: 1.1em">${escaped(heading)}</h2>`,
    ...(cells.length > 0 ? [`<table style="border-collapse: collapse">${cells.join('')}</table>`] : []),
    ...(points.length > 0
      ? [`<ul>${points.map((point) => `<li>${escaped(point)}</li>`).join('')}</ul>`]
      : []),
  ].join('\n');
}

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
