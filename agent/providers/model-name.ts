/** A model as the configuration names it: `<provider>/<model>`, or `local`. */
export interface ModelName {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
}

/** The speech models of this project, behind OpenAI's interface. */
export const LOCAL = 'local';

/** Null for an invalid name. The model part may contain slashes. */
export function parseModelName(text: string): ModelName | null {
  // It serves one model of each kind, whatever it is called.
  if (text.trim().toLowerCase() === LOCAL) return { provider: LOCAL, model: null };
  const slash = text.indexOf('/');
  const [provider, model] = [text.slice(0, slash).trim().toLowerCase(), text.slice(slash + 1).trim()];
  return slash <= 0 || provider === '' || model === '' ? null : { provider, model };
}
