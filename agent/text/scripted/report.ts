/** Prints the results of all conversations in readable form. */
import type { Outcome, TurnResult } from './run';

export interface Reported {
  file: string;
  title: string;
  outcome: Outcome;
}

interface ReportStyle {
  hasColours: boolean;
  /** Also shows the turns of conversations that passed. */
  isLong: boolean;
}

const GREEN = 32;
const RED = 31;
const YELLOW = 33;
const GREY = 90;

export class Report {
  private lastFile = '';

  constructor(private readonly style: ReportStyle) {}

  linesOf({ file, title, outcome }: Reported): string[] {
    const heading = file === this.lastFile ? [] : [this.lastFile === '' ? file : `\n${file}`];
    this.lastFile = file;
    switch (outcome.kind) {
      case 'passed':
        return [
          ...heading,
          `  ${this.paint('✓', GREEN)} ${title}`,
          ...this.turns(outcome.turns, this.style.isLong),
        ];
      case 'failed':
        return [...heading, `  ${this.paint('✗', RED)} ${title}`, ...this.turns(outcome.turns, true)];
      case 'not-run':
        return [...heading, `  ${this.paint('–', YELLOW)} ${title}: not run, ${outcome.why}`];
    }
  }

  summary(all: readonly Reported[]): string {
    const count = (kind: Outcome['kind']): number =>
      all.filter(({ outcome }) => outcome.kind === kind).length;
    const notRun = count('not-run');
    return [
      `${count('passed')} passed`,
      `${count('failed')} failed`,
      ...(notRun > 0 ? [`${notRun} not run`] : []),
    ].join(', ');
  }

  /** Shows the turns of a failed conversation, up to the last turn with an unmet expectation. */
  private turns(turns: readonly TurnResult[], isShown: boolean): string[] {
    if (!isShown) return [];
    const last = turns.findLastIndex(({ missed }) => missed.length > 0);
    const shown = this.style.isLong || last === -1 ? turns : turns.slice(0, last + 1);
    return shown.flatMap(({ user, happened: { said, tools }, missed }) => [
      ...(user === null ? [] : [`      you    ${user}`]),
      ...(said === '' ? [] : [`      agent  ${said}`]),
      ...tools.map(({ name, arguments: args }) =>
        this.paint(`             ${name} ${JSON.stringify(args)}`, GREY),
      ),
      ...missed.map((wish) => this.paint(`             expected ${wish}`, RED)),
    ]);
  }

  private paint(text: string, code: number): string {
    return this.style.hasColours ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
