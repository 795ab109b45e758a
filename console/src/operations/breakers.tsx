import type { Breakers as OrganizationBreakers } from '../../../sdk/typescript/generated';
import { useLimits } from '../campaigns/queries';
import { countOf, creditsOf, percentOf } from '../format/values';
import { Bar } from '../parts/bar';
import { QueryResult } from '../parts/states';

/** Shows the spend limits and the circuit breaker's limit, which the operator sets. */
export function Breakers() {
  const limits = useLimits();
  return (
    <section className="card" aria-labelledby="breakers">
      <header>
        <h2 id="breakers">Spend limits and circuit breaker</h2>
      </header>
      <div className="body">
        <QueryResult query={limits} of="the limits">
          {({ breakers }) => <Facts breakers={breakers} />}
        </QueryResult>
        <p className="soft small">
          A campaign that reaches a limit pauses until you resume it. The operator sets the limits.
        </p>
      </div>
    </section>
  );
}

function Facts({ breakers }: { breakers: OrganizationBreakers }) {
  const {
    spent_today: spent,
    spend_per_day: max,
    campaign_spend_per_day: each,
    failure_rate: rate,
  } = breakers;
  return (
    <>
      {max !== null && <Bar whole={max} parts={[{ tone: spent < max ? 'active' : 'lost', value: spent }]} />}
      <dl className="facts">
        <dt>Spent today</dt>
        <dd>
          {creditsOf(spent)}
          {max === null ? '' : ` of ${countOf(max)}`}
        </dd>
        <dt>Per campaign</dt>
        <dd>{each === null ? 'No daily limit' : `${creditsOf(each)} per day`}</dd>
        <dt>Failed dials</dt>
        <dd>{failuresOf(rate)}</dd>
      </dl>
    </>
  );
}

function failuresOf(rate: number | null): string {
  if (rate === null) return 'Platform default';
  return rate === 0 ? 'No limit' : `At most ${percentOf(rate, 1)} of recent dials`;
}
