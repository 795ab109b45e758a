/** Like a UUID; `crypto.randomUUID` is missing on a page that came by plain HTTP from another machine. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
