/** Replaces a secret wherever an agent's configuration is shown. */
export const SECRET_MASK = '********';
