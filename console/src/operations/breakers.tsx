import type { Breakers as BrakesOfOrganization } from '../../../sdk/typescript/generated';
import { useLimits } from '../campaigns/new/queries';
import { countOf, creditsOf, percentOf } from '../format/numbers';
import { Bar } from '../parts/bar';
import { Answer } from '../parts/states';

/** Shows the spend limits and the circuit breaker, which operators set. */
export function Breakers() {
  const limits = useLimits();
  return (
    <section className="card" aria-labelledby="breakers">
      <header>
        <h2 id="breakers">Spend limits and circuit breaker</h2>
      </header>
      <div className="body">
        <Answer query={limits} of="the limits">
          {({ breakers }) => <Facts breakers={breakers} />}
        </Answer>
        <p className="soft small">
          These limits pause campaigns until you resume them. The operator sets them.
        </p>
      </div>
    </section>
  );
}

function Facts({ breakers }: { breakers: BrakesOfOrganization }) {
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
        <dt>Each campaign</dt>
        <dd>{each === null ? 'No daily limit' : `${creditsOf(each)} a day`}</dd>
        <dt>Failed dials</dt>
        <dd>{failuresOf(rate)}</dd>
      </dl>
    </>
  );
}

function failuresOf(rate: number | null): string {
  if (rate === null) return 'As the operator configured';
  return rate === 0 ? 'No limit' : `${percentOf(rate, 1)} of the latest`;
}
