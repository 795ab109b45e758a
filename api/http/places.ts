/** Shared parts of the pages that the API serves itself: the console's design tokens and the navigation bar. */

/** Built with the console, from `console/public/`. */
export const TOKENS = '/console/tokens.css';

const PLACES = {
  '/console': 'Console',
  '/playground': 'Try an agent',
  '/api/docs': 'API',
} as const;

export type Place = keyof typeof PLACES;

export function placesBar(current: Place): string {
  const links = Object.entries(PLACES).map(
    ([address, title]) =>
      `<a href="${address}"${address === current ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return `<nav class="places" aria-label="Places">${links.join('')}</nav>`;
}

export const BAR_STYLE = `.places {
  display: flex;
  flex-wrap: wrap;
  gap: var(--gap-xs);
  padding: var(--gap-s) var(--gap-l);
  background: var(--surface);
  border-bottom: 1px solid var(--line);
  font: var(--text) / 1.45 var(--font);
}

.places a {
  display: flex;
  align-items: center;
  min-height: var(--control);
  padding-inline: var(--gap);
  border-radius: var(--radius-s);
  color: var(--soft);
  font-weight: 500;
  text-decoration: none;
}

.places a:hover {
  background: var(--hover);
  color: var(--ink);
}

.places a[aria-current='page'] {
  background: var(--accent-soft);
  color: var(--accent);
}
`;
