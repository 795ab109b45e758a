/** A model as the configuration names it: `<provider>/<model>`. */
export interface ModelName {
  provider: string;
  model: string;
}

/** Null for an invalid name. The model part may contain slashes. */
export function parseModelName(text: string): ModelName | null {
  const slash = text.indexOf('/');
  const [provider, model] = [text.slice(0, slash).trim().toLowerCase(), text.slice(slash + 1).trim()];
  return slash <= 0 || provider === '' || model === '' ? null : { provider, model };
}
