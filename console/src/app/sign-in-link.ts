const LINK = /^#sign-in=(.+)$/;

/** Returns the token of a one-time link and removes it from the address, so that neither the history nor a copied address contains it. */
export function takeSignInToken({ location, history }: Pick<Window, 'location' | 'history'>): string | null {
  const token = LINK.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(token);
}
