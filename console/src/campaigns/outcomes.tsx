import type { CampaignProgress } from '../../../sdk/typescript/generated';
import { countOf, percentOf } from '../format/numbers';
import { Bar } from '../parts/bar';
import { wordsOf } from '../parts/status';

/** How the calls of a campaign ended, the most frequent end first. Redials are calls of their own. */
export function Outcomes({ of: outcomes }: { of: CampaignProgress['outcomes'] }) {
  const calls = outcomes.reduce((sum, each) => sum + each.calls, 0);
  if (calls === 0) return null;
  const ordered = [...outcomes].sort((one, other) => other.calls - one.calls);
  return (
    <section className="card" aria-labelledby="outcomes">
      <header>
        <h2 id="outcomes">How calls ended</h2>
        <span className="aside">{countOf(calls)} calls</span>
      </header>
      <dl className="body outcomes">
        {ordered.map(({ call_status: status, calls: ended }) => (
          <div key={status}>
            <dt>{wordsOf(status)}</dt>
            <dd>
              <Bar whole={calls} parts={[{ tone: 'done', value: ended }]} />
              <span>
                {countOf(ended)} <small>{percentOf(ended, calls)}</small>
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
