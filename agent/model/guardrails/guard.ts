/** Checks the caller's words and the agent's sentences against the guardrail rules. */
import type { Handling, Rule } from './rules';

export type Verdict =
  | { kind: 'pass' }
  /** Speak `say` in place of the answer, then nothing more in this turn. */
  | { kind: 'replace'; say: string; then: 'continue' | 'end-call' | 'transfer'; transferTo: string | null }
  /** Speak `say`, then the answer. */
  | { kind: 'prefix'; say: string }
  /** Let the model answer, with an instruction to redirect the caller. */
  | { kind: 'redirect' };

interface DefaultSentences {
  refusal: string;
  redirect: string;
}

const PASS: Verdict = { kind: 'pass' };

export class Guard {
  /** Number of words in the longest phrase that answers must not contain; 0 when answers are not checked. */
  readonly longestAgentPhrase: number;
  private readonly callerRules: Rule[];
  private readonly agentRules: Rule[];

  constructor(
    rules: readonly Rule[],
    private readonly defaults: DefaultSentences,
  ) {
    this.callerRules = rules.filter(({ appliesToCaller }) => appliesToCaller);
    // Warnings are addressed to the caller, so they don't apply to the agent's sentences.
    this.agentRules = rules.filter(({ appliesToAgent, handling }) => appliesToAgent && handling !== 'warn');
    this.longestAgentPhrase = this.agentRules.reduce((max, { phrases }) => Math.max(max, phrases.longest), 0);
  }

  checkCaller(text: string): Verdict {
    const rule = this.callerRules.find(({ phrases }) => phrases.matches(text));
    if (rule === undefined) return PASS;
    const { handling, response } = rule;
    if (handling === 'warn') return { kind: 'prefix', say: response ?? this.defaults.redirect };
    if (handling === 'redirect' && response === null) return { kind: 'redirect' };
    return this.replacement(rule);
  }

  /** Checks one sentence of an answer. `ahead` is the text after it, as far as it is known. */
  checkAgent(text: string, ahead = ''): Verdict {
    const rule = this.agentRules.find(({ phrases }) => phrases.matches(text + ahead));
    return rule === undefined ? PASS : this.replacement(rule);
  }

  private replacement({ handling, response, transferTo }: Rule): Verdict {
    const usual = handling === 'redirect' ? this.defaults.redirect : this.defaults.refusal;
    return { kind: 'replace', say: response ?? usual, then: nextOf(handling), transferTo };
  }
}

function nextOf(handling: Handling): 'continue' | 'end-call' | 'transfer' {
  if (handling === 'end_call') return 'end-call';
  return handling === 'transfer' ? 'transfer' : 'continue';
}
