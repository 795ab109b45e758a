/** A model as the configuration names it: `<provider>/<model>`, or `local`. */
export interface ModelName {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
}

/** This project's speech models, which have OpenAI's interface. */
export const LOCAL = 'local';

/** Returns null for an invalid name. The model part can contain slashes. */
export function parseModelName(text: string): ModelName | null {
  // The local server has one model of each kind, under any name.
  if (text.trim().toLowerCase() === LOCAL) return { provider: LOCAL, model: null };
  const slash = text.indexOf('/');
  const [provider, model] = [text.slice(0, slash).trim().toLowerCase(), text.slice(slash + 1).trim()];
  return slash <= 0 || provider === '' || model === '' ? null : { provider, model };
}
