import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { CampaignDetail } from '../../../../sdk/typescript/generated';
import { zoneOfBrowser } from '../../format/time';
import { Faults } from '../../parts/faults';
import { Field } from '../../parts/field';
import { useNotice } from '../../parts/notices';
import { useEdit } from '../queries';
import {
  LinesField,
  NotificationFields,
  RedialFields,
  RuleProfileField,
  ScheduleFields,
} from '../term-fields';
import type { Terms } from '../terms';
import { changesOf, termsOf } from './changes';

/** Form that edits a campaign. Live calls finish with the old settings. */
export function EditCampaign({ campaign, onClose }: { campaign: CampaignDetail; onClose: () => void }) {
  const zone = zoneOfBrowser();
  const [before] = useState(() => termsOf(campaign, zone));
  const [terms, setTerms] = useState(before);
  const [resumes, setResumes] = useState(campaign.campaign_status !== 'paused');
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
      { changes, resumes },
      {
        onSuccess: () => {
          report(
            resumes ? 'Changes saved. The campaign is resumed.' : 'Changes saved. The campaign is paused.',
          );
          onClose();
        },
      },
    );
  }

  return (
    <section className="card" aria-labelledby="edit">
      <header>
        <h2 id="edit" ref={title} tabIndex={-1}>
          Edit campaign
        </h2>
      </header>
      <form className="body" onSubmit={submit}>
        <TermFields terms={terms} zone={zone} onChange={change} />
        <label className="check">
          <input type="checkbox" checked={resumes} onChange={(event) => setResumes(event.target.checked)} />
          Resume after saving
        </label>
        {error !== null && <Faults error={error} />}
        <div className="row-of">
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" className="button primary" disabled={changes === null || isPending}>
            {isPending ? 'Saving…' : 'Save'}
          </button>
        </div>
      </form>
    </section>
  );
}

interface TermFieldsProps {
  terms: Terms;
  zone: string;
  onChange: (changes: Partial<Terms>) => void;
}

function TermFields({ terms, zone, onChange }: TermFieldsProps) {
  return (
    <>
      <Field label="Name">
        {(inputProps) => (
          <input
            {...inputProps}
            required
            maxLength={255}
            value={terms.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <NotificationFields terms={terms} onChange={onChange} />
      <ScheduleFields schedule={terms} zone={zone} onChange={onChange} />
      <div className="grid">
        <LinesField terms={terms} onChange={onChange} />
        <RedialFields terms={terms} onChange={onChange} />
        <RuleProfileField terms={terms} onChange={onChange} />
      </div>
    </>
  );
}
