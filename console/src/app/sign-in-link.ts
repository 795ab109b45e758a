const LINK = /^#sign-in=(.+)$/;

/** The token of a one-time link. It leaves the address at once: neither history nor a copied address keeps it. */
export function takeSignInToken({ location, history }: Pick<Window, 'location' | 'history'>): string | null {
  const token = LINK.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(token);
}
