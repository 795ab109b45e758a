import type { Call, CallDetails, CallUsage, UsedModel } from '../../../sdk/typescript/generated';
import { countOf, creditsOf, titleOf, valueOf } from '../format/values';
import { durationOf } from '../format/time';
import { QueryResult } from '../parts/states';
import { useCallDetails } from './queries';

/** Shows a call's findings, evaluation and model usage. */
export function Findings({ call }: { call: Call }) {
  const details = useCallDetails(call.call_id);
  return (
    <section className="card" aria-labelledby="findings">
      <header>
        <h2 id="findings">Findings</h2>
        {details.data && details.data.analysis_method !== null && (
          <span className="aside">
            Source: {details.data.analysis_method === 'model' ? 'language model' : 'rules'}
          </span>
        )}
      </header>
      <div className="body">
        {call.post_processing_status === 'completed' ? (
          <QueryResult query={details} of="the findings">
            {(found) => <Found call={call} details={found} />}
          </QueryResult>
        ) : (
          <p className="soft">
            {call.End_time === null ? 'Findings appear after the call has ended.' : 'No findings yet.'}
          </p>
        )}
        {details.data && details.data.usage !== null && <Usage usage={details.data.usage} />}
      </div>
    </section>
  );
}

function Found({ call, details }: { call: Call; details: CallDetails }) {
  return (
    <>
      <p>{details.summary}</p>
      {details.call_eval_tag !== null && (
        <p>
          <span className="badge live">{details.call_eval_tag}</span>
        </p>
      )}
      <Pairs title="Facts" of={details.entity} />
      <Pairs title="Evaluation" of={details.conversation_eval} />
      <Pairs title="Quality" of={call.call_conversation_quality} />
    </>
  );
}

function Pairs({ title, of }: { title: string; of: unknown }) {
  const pairs = typeof of === 'object' && of !== null ? Object.entries(of) : [];
  if (pairs.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl className="facts">
        {pairs.map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{titleOf(name)}</dt>
            <dd>{valueOf(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Usage({ usage }: { usage: CallUsage }) {
  return (
    <>
      <h3>Models{usage.cost !== null && `, ${creditsOf(usage.cost)}`}</h3>
      <ul className="small">
        {usage.models.map((model, index) => (
          <li key={index}>
            {model.provider} {model.model} <span className="soft">{amountOf(model)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function amountOf(model: UsedModel): string {
  switch (model.kind) {
    case 'stt':
      return `${durationOf(model.audio_ms)} of speech recognized`;
    case 'tts':
      return `${countOf(model.characters)} characters spoken`;
    case 'llm':
      return `${countOf(model.input_tokens)} tokens in, ${countOf(model.output_tokens)} out (${model.purpose})`;
  }
}
