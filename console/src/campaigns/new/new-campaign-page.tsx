import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { randomKey } from '../../api/client';
import { zoneOfBrowser } from '../../format/time';
import { useNotice } from '../../parts/notices';
import { PageHead } from '../../parts/page-head';
import { ContactFile } from './contact-file';
import { emptyDraft, missingIn, requestOf, type Draft } from './draft';
import { DryRun } from './dry-run';
import { Faults } from '../../parts/faults';
import { Fields } from './fields';
import { isFaulty, useContactFilePreview, useCreateCampaign, useDryRun } from './queries';

/** The user can start a campaign with a file only after a dry run of exactly these settings. Dry runs take no lists. */
export function NewCampaignPage() {
  const zone = zoneOfBrowser();
  const [draft, setDraft] = useState(() => emptyDraft(new Date()));
  const [key] = useState(randomKey);
  const preview = useContactFilePreview();
  const dryRun = useDryRun();
  const creation = useCreateCampaign();
  const navigate = useNavigate();
  const report = useNotice();

  const change = (changes: Partial<Draft>): void => {
    setDraft({ ...draft, ...changes });
    dryRun.reset();
    creation.reset();
  };
  const choose = (file: File | null, listId = ''): void => {
    change({ file, listId });
    if (file === null) preview.reset();
    else preview.mutate({ csv_file: file });
  };
  const missing = isFaulty(preview) ? [...missingIn(draft), 'a file without errors'] : missingIn(draft);
  const request = isFaulty(preview) ? null : requestOf(draft, zone);
  const start = (): void => {
    if (request === null) return;
    creation.mutate(
      { body: request, key },
      {
        onSuccess: ({ id, campaign_name: name }) => {
          report(`${name} has started.`);
          void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
        },
      },
    );
  };

  return (
    <>
      <PageHead title="New campaign" back={<Link to="/campaigns">Campaigns</Link>} />
      <div className="columns">
        <div className="stack">
          <ContactFile
            file={draft.file}
            preview={preview}
            listId={draft.listId}
            onFile={choose}
            onList={(listId) => choose(null, listId)}
          />
          <Fields draft={draft} zone={zone} onChange={change} />
        </div>
        <Ahead
          missing={missing}
          isOfList={draft.listId !== ''}
          request={request}
          zone={zone}
          dryRun={dryRun}
          creation={creation}
          onStart={start}
        />
      </div>
    </>
  );
}

interface AheadProps {
  missing: readonly string[];
  isOfList: boolean;
  request: ReturnType<typeof requestOf>;
  zone: string;
  dryRun: ReturnType<typeof useDryRun>;
  creation: ReturnType<typeof useCreateCampaign>;
  onStart: () => void;
}

function Ahead({ missing, isOfList, request, zone, dryRun, creation, onStart }: AheadProps) {
  const simulate = (): void => {
    if (request?.csv_file !== undefined) dryRun.mutate({ ...request, csv_file: request.csv_file });
  };
  return (
    <section className="card ahead" aria-labelledby="ahead">
      <header>
        <h2 id="ahead">Before you start</h2>
      </header>
      <div className="body">
        {missing.length > 0 && <p className="soft">Still missing: {missing.join(', ')}.</p>}
        {/* The contact file's field shows the errors in the file. */}
        {dryRun.isError && request !== null && <Faults error={dryRun.error} />}
        {creation.isError && <Faults error={creation.error} />}
        {dryRun.data !== undefined && <DryRun result={dryRun.data} zone={zone} />}
        {isOfList ? (
          <p className="soft small">
            A dry run needs a contact file. The campaign copies the contacts that the list has at the start.
          </p>
        ) : (
          <button
            type="button"
            className={`button ${dryRun.data === undefined ? 'primary' : ''}`}
            disabled={request === null || dryRun.isPending}
            onClick={simulate}
          >
            {dryRun.isPending ? 'Running…' : 'Dry run'}
          </button>
        )}
        {!isOfList && dryRun.data === undefined ? (
          <p className="soft small">
            A dry run dials no numbers. It shows when the campaign would end and what it would cost.
          </p>
        ) : (
          <button
            type="button"
            className="button primary"
            disabled={request === null || creation.isPending}
            onClick={onStart}
          >
            {creation.isPending ? 'Starting…' : 'Start campaign'}
          </button>
        )}
      </div>
    </section>
  );
}
