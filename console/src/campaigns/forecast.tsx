import type { CampaignDetail, SimulatedCampaign } from '../../../sdk/typescript/generated';
import { countOf, creditsOf, percentOf } from '../format/values';
import { instantOf } from '../format/time';
import { QueryResult } from '../parts/states';
import { Outlook } from './outlook';
import { useForecast } from './queries';

/** Shows when the campaign is expected to end, from a dry run of its remaining contacts. */
export function Forecast({ campaign }: { campaign: CampaignDetail }) {
  const forecast = useForecast(campaign);
  return (
    <section className="card" aria-labelledby="forecast">
      <header>
        <h2 id="forecast">Forecast</h2>
        {campaign.campaign_status === 'paused' && <span className="aside">If resumed now</span>}
      </header>
      <div className="body">
        <QueryResult query={forecast} of="the forecast">
          {(result) => <Expected result={result} />}
        </QueryResult>
      </div>
    </section>
  );
}

function Expected({ result }: { result: SimulatedCampaign }) {
  const { assumptions, expired } = result;
  return (
    <>
      <dl className="key">
        <div>
          <dt>{result.status === 'paused' ? 'Paused by a spend limit' : 'Expected end'}</dt>
          <dd>{instantOf(result.finishes_at ?? result.paused_at)}</dd>
        </div>
        <div>
          <dt>Remaining calls</dt>
          <dd>{countOf(result.total_calls)}</dd>
        </div>
        <div>
          <dt>Remaining cost</dt>
          <dd>{creditsOf(result.cost)}</dd>
        </div>
      </dl>
      {expired.total > 0 && (
        <p className="note wait">
          <strong>{countOf(expired.total)} contacts can’t be called before the last window ends.</strong>
        </p>
      )}
      <Outlook result={result} mark="Now" />
      <p className="soft small">
        Based on a dry run of the remaining contacts. It assumes that{' '}
        {percentOf(assumptions.assumed_answer_rate, 1)} of calls are answered and last{' '}
        {countOf(Math.round(assumptions.assumed_talk_seconds))} s.
      </p>
    </>
  );
}
