import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { CampaignDetail } from '../../../../sdk/typescript/generated';
import { zoneOfBrowser } from '../../format/time';
import { Faults } from '../../parts/faults';
import { Field } from '../../parts/field';
import { useNotice } from '../../parts/notices';
import { useLimits } from '../new/queries';
import { useEdit } from '../queries';
import { ScheduleFields } from '../schedule-fields';
import { changesOf, termsOf, type Terms } from './changes';

/** Form to edit a campaign. Live calls finish with the old settings. */
export function EditCampaign({ campaign, onClose }: { campaign: CampaignDetail; onClose: () => void }) {
  const zone = zoneOfBrowser();
  const [before] = useState(() => termsOf(campaign, zone));
  const [terms, setTerms] = useState(before);
  const [goesOn, setGoesOn] = useState(campaign.campaign_status !== 'paused');
  const { mutate, isPending, error, reset } = useEdit(campaign.id);
  const report = useNotice();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);

  const change = (changes: Partial<Terms>): void => {
    setTerms({ ...terms, ...changes });
    reset();
  };
  const changes = changesOf(before, terms, zone);
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (changes === null) return;
    mutate(
      { changes, goesOn },
      {
        onSuccess: () => {
          report(goesOn ? 'The campaign is changed and resumed.' : 'The campaign is changed and paused.');
          onClose();
        },
      },
    );
  }

  return (
    <section className="card" aria-labelledby="edit">
      <header>
        <h2 id="edit" ref={title} tabIndex={-1}>
          Edit
        </h2>
      </header>
      <form className="body" onSubmit={submit}>
        <Texts terms={terms} onChange={change} />
        <ScheduleFields draft={terms} zone={zone} onChange={change} />
        <Dials terms={terms} onChange={change} />
        <label className="check">
          <input type="checkbox" checked={goesOn} onChange={(event) => setGoesOn(event.target.checked)} />
          Resume after the change
        </label>
        {error !== null && <Faults error={error} />}
        <div className="row-of">
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" className="button primary" disabled={changes === null || isPending}>
            {isPending ? 'One moment…' : 'Save'}
          </button>
        </div>
      </form>
    </section>
  );
}

interface TermsProps {
  terms: Terms;
  onChange: (changes: Partial<Terms>) => void;
}

function Texts({ terms, onChange }: TermsProps) {
  return (
    <>
      <Field label="Name">
        {(ties) => (
          <input
            {...ties}
            required
            maxLength={255}
            value={terms.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="E-mail the report to">
        {(ties) => (
          <input
            {...ties}
            value={terms.emails}
            onChange={(event) => onChange({ emails: event.target.value })}
          />
        )}
      </Field>
      <Field label="Webhook of the campaign">
        {(ties) => (
          <input
            {...ties}
            value={terms.webhook}
            onChange={(event) => onChange({ webhook: event.target.value })}
          />
        )}
      </Field>
      <Field label="Webhook of each call">
        {(ties) => (
          <input
            {...ties}
            value={terms.callWebhook}
            onChange={(event) => onChange({ callWebhook: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function Dials({ terms, onChange }: TermsProps) {
  const limits = useLimits();
  const max = limits.data?.max_concurrency;
  return (
    <div className="grid">
      <Count
        label="Lines"
        help={max === undefined ? 'Calls at the same time' : `Calls at the same time; your limit is ${max}`}
        {...{ min: 1, max, value: terms.lines }}
        onChange={(lines) => onChange({ lines })}
      />
      <Count
        label="Dials per contact"
        help="1 to 10; 1 means no redial"
        {...{ min: 1, max: 10, value: terms.dials }}
        onChange={(dials) => onChange({ dials })}
      />
      <Count
        label="Minutes until a redial"
        help="From the end of the call, 0 to 1,440"
        {...{ min: 0, max: 1440, value: terms.pauseMins }}
        onChange={(pauseMins) => onChange({ pauseMins })}
      />
    </div>
  );
}

interface CountProps {
  label: string;
  help: string;
  min: number;
  max: number | undefined;
  value: number;
  onChange: (value: number) => void;
}

function Count({ label, help, min, max, value, onChange }: CountProps) {
  return (
    <Field label={label} help={help}>
      {(ties) => (
        <input
          {...ties}
          type="number"
          required
          min={min}
          max={max}
          value={Number.isNaN(value) ? '' : value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}
