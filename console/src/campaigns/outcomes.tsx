import type { CampaignOutcome } from '../../../sdk/typescript/generated';
import { countOf, percentOf } from '../format/numbers';
import { Bar, type Tone } from '../parts/bar';
import { wordsOf } from '../parts/status';

/** Ends of the campaign's calls, most frequent first. */
export function Outcomes({ outcomes }: { outcomes: readonly CampaignOutcome[] }) {
  const whole = outcomes.reduce((sum, { calls }) => sum + calls, 0);
  const sorted = [...outcomes].sort((a, b) => b.calls - a.calls);
  if (whole === 0) return <p className="soft">No call has ended yet.</p>;
  return (
    <ul className="outcomes" aria-label="How calls ended">
      {sorted.map(({ call_status: status, calls }) => (
        <li key={status}>
          <span>{wordsOf(status)}</span>
          <Bar whole={whole} parts={[{ tone: toneOf(status), value: calls }]} />
          <span className="number">
            {countOf(calls)} <small className="soft">{percentOf(calls, whole)}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

function toneOf(status: CampaignOutcome['call_status']): Tone {
  switch (status) {
    case 'completed':
    case 'User disconnected':
      return 'done';
    case 'voicemail':
    case 'no answer':
    case 'busy':
      return 'open';
    case 'rejected':
    case 'failed':
    case 'error':
      return 'lost';
    case 'DND':
    case 'cancelled':
    case 'expired':
      return 'none';
  }
}
