/** The language that the agent speaks. */
import type { CallContext } from '../../platform/call-context';

export interface SpokenLanguage {
  /** A tag such as `hi` or `en-IN`; null when none is configured. */
  main: string | null;
  /** Another language that the caller may speak. */
  second: string | null;
  followsCaller: boolean;
}

/** A browser session's language overrides the agent's configuration. */
export function languageOf({ agent, session }: Pick<CallContext, 'agent' | 'session'>): SpokenLanguage {
  const { language, auto_detect: followsCaller } = agent.config.persona.senses_capabilities;
  const main = tagOf(session?.primaryLanguage) ?? tagOf(language);
  const second = tagOf(session?.secondaryLanguage);
  return {
    main,
    second: second === main ? null : second,
    followsCaller,
  };
}

/** Returns the English name, such as Hindi for `hi`; null for an unknown language. */
export function languageName(tag: string): string | null {
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag);
  return name ?? null;
}

function tagOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/.test(value)) return null;
  const tag = value.replaceAll('_', '-');
  return languageName(tag) === null ? null : tag;
}
