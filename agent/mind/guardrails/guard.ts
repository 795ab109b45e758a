/** Judges what is heard and what is about to be said by the rules of the agent. */
import type { Handling, Rule } from './rules';

export type Verdict =
  | { kind: 'fine' }
  /** `say` instead of an answer, then nothing more of this turn. */
  | { kind: 'instead'; say: string; then: 'go-on' | 'end-call' | 'transfer'; transferTo: string | null }
  /** `say` first, then the answer. */
  | { kind: 'before'; say: string }
  /** The model answers, and is told what to do about it. */
  | { kind: 'lead-back' };

export interface UsualSentences {
  refusal: string;
  leadingBack: string;
}

const FINE: Verdict = { kind: 'fine' };

export class Guard {
  /** Words of the longest phrase that an answer is searched for; 0 where answers are not checked. */
  readonly longestSaid: number;
  private readonly heard: Rule[];
  private readonly said: Rule[];

  constructor(
    rules: readonly Rule[],
    private readonly usual: UsualSentences,
  ) {
    this.heard = rules.filter(({ heard }) => heard);
    // A warning is for the caller: the agent's own sentence is either said or not.
    this.said = rules.filter(({ said, handling }) => said && handling !== 'warn');
    this.longestSaid = this.said.reduce((most, { phrases }) => Math.max(most, phrases.longest), 0);
  }

  judgeHeard(text: string): Verdict {
    const rule = this.heard.find(({ phrases }) => phrases.isIn(text));
    if (rule === undefined) return FINE;
    const { handling, response } = rule;
    if (handling === 'warn') return { kind: 'before', say: response ?? this.usual.leadingBack };
    if (handling === 'redirect' && response === null) return { kind: 'lead-back' };
    return this.instead(rule);
  }

  /** One sentence of an answer; `ahead` is what is known to follow it. */
  judgeSaid(text: string, ahead = ''): Verdict {
    const rule = this.said.find(({ phrases }) => phrases.isIn(text + ahead));
    return rule === undefined ? FINE : this.instead(rule);
  }

  private instead({ handling, response, transferTo }: Rule): Verdict {
    const usual = handling === 'redirect' ? this.usual.leadingBack : this.usual.refusal;
    return { kind: 'instead', say: response ?? usual, then: nextOf(handling), transferTo };
  }
}

function nextOf(handling: Handling): 'go-on' | 'end-call' | 'transfer' {
  if (handling === 'end_call') return 'end-call';
  return handling === 'transfer' ? 'transfer' : 'go-on';
}
