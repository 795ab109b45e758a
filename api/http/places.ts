/** What the pages that the API itself serves have in common with the console: its colours and sizes, and the way from one to the other. */

/** Made with the console, from `console/public/`. */
export const TOKENS = '/console/tokens.css';

const PLACES = {
  '/console': 'Console',
  '/playground': 'Try an agent',
  '/api/docs': 'API',
} as const;

export type Place = keyof typeof PLACES;

/** The bar above a page. */
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
