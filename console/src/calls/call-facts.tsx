import type { Call } from '../../../sdk/typescript/generated';
import { creditsOf, titleOf, valueOf } from '../format/values';
import { durationOf } from '../format/time';
import { WorkflowLink } from '../parts/workflow-link';

/** Metadata fields that the page already shows elsewhere. */
const SHOWN_ELSEWHERE = new Set(['name', 'phone', 'agent_name', 'agent_id', 'client_id']);

export function CallFacts({ call }: { call: Call }) {
  const metadata = Object.entries(call.call_metadata as Record<string, unknown>).filter(
    ([name]) => !SHOWN_ELSEWHERE.has(name),
  );
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">Call</h2>
        <span className="aside">{call.direction === 'Incoming' ? 'Incoming' : 'Outgoing'}</span>
      </header>
      <div className="body">
        <dl className="facts">
          <dt>Agent</dt>
          <dd>{call.agent_name}</dd>
          <dt>From</dt>
          <dd>{call.from_number ?? 'Unknown'}</dd>
          <dt>To</dt>
          <dd>{call.to_number ?? 'Browser'}</dd>
          <dt>Talk time</dt>
          <dd>{durationOf(call.duration_ms)}</dd>
          <dt>Cost</dt>
          <dd>{creditsOf(call.call_cost)}</dd>
          {metadata.map(([name, value]) => (
            <div key={name} className="pair">
              <dt>{titleOf(name)}</dt>
              <dd>{valueOf(value)}</dd>
            </div>
          ))}
          <dt>Call ID</dt>
          <dd className="mono">{call.call_id}</dd>
          <WorkflowLink of="call" id={call.call_id} />
        </dl>
      </div>
    </section>
  );
}
