/** A random key with 128 bits. `crypto.randomUUID` is missing on pages that another machine serves over plain HTTP. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
