/** Parses netfilter rules that `iptables-save` prints, and computes how to return to an earlier state. */

interface Table {
  /** Policy of each built-in chain, or `-` for other chains. */
  chains: Map<string, string>;
  rules: string[];
}

/**
 * Returns arguments for `iptables` that remove what was added between two outputs of `iptables-save`. Keeps rules that are in both, even if
 * another program has changed them in between.
 */
export function wayBack(before: string, after: string): string[][] {
  const earlier = tablesIn(before);
  return [...tablesIn(after)].flatMap(([name, now]) => {
    const was = earlier.get(name) ?? { chains: new Map<string, string>(), rules: [] };
    const made = [...now.chains.keys()].filter((chain) => !was.chains.has(chain) && isOwn(now, chain));
    const rules = surplus(now.rules, was.rules).filter((rule) => !made.includes(chainOf(rule)));
    const policies = [...now.chains].filter(
      ([chain, policy]) => policy !== (was.chains.get(chain) ?? 'ACCEPT'),
    );
    return [
      ...rules.map((rule) => ['-t', name, ...wordsOf(rule.replace(/^-A/, '-D'))]),
      ...made.map((chain) => ['-t', name, '-F', chain]),
      ...made.map((chain) => ['-t', name, '-X', chain]),
      ...policies
        .filter(([chain]) => !isOwn(now, chain))
        .map(([chain]) => ['-t', name, '-P', chain, was.chains.get(chain) ?? 'ACCEPT']),
    ];
  });
}

/** Only built-in chains have a policy. */
const isOwn = ({ chains }: Table, chain: string): boolean => chains.get(chain) === '-';

const chainOf = (rule: string): string => rule.split(' ')[1] ?? '';

/** Returns the rules that occur more often in `now` than in `was`. */
function surplus(now: readonly string[], was: readonly string[]): string[] {
  const known = [...was];
  return now.filter((rule) => {
    const at = known.indexOf(rule);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

function tablesIn(saved: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  let table: Table = { chains: new Map(), rules: [] };
  for (const line of saved.split('\n')) {
    const [, chain, policy] = /^:(\S+) (\S+)/.exec(line) ?? [];
    if (line.startsWith('*')) tables.set(line.slice(1), (table = { chains: new Map(), rules: [] }));
    else if (chain !== undefined && policy !== undefined) table.chains.set(chain, policy);
    else if (line.startsWith('-A ')) table.rules.push(line);
  }
  return tables;
}

const wordsOf = (rule: string): string[] =>
  [...rule.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
