import type { Command } from 'commander';
import {
  retentionColumns,
  retentionOf,
  setRetention,
  type Retention,
} from '../../../db/organizations/retention';
import { foreverOr, override, wholeNumber } from '../option-values';
import { requireOrganization, audited } from '../session';
import { fieldList, type Cell } from '../table';
import { runs, verb, type Admin } from '../verb';

const MAX_DAYS = 36_525;

interface RetentionOptions {
  org: string;
  recordingsDays?: number | 'default';
  transcriptsDays?: number | 'default';
  contactsDays?: number | 'default';
}

/** `org retention`: how long an organization's personal data is kept. */
export function retention(org: Command, admin: Admin): void {
  const days = foreverOr(wholeNumber(0, MAX_DAYS));
  const command = verb(org, 'retention', 'show or change how long personal data is kept', [
    'retention --org Acme',
    'retention --org Acme --recordings-days 30 --transcripts-days 90',
    'retention --org Acme --recordings-days none',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--recordings-days <n>',
      'keep recordings this long after the call; 0 or "none" keeps them forever',
      days,
    )
    .option(
      '--transcripts-days <n>',
      'keep transcripts and analysis this long after the call; 0 or "none" keeps them forever',
      days,
    )
    .option(
      '--contacts-days <n>',
      'keep names, numbers and variables this long after the call or campaign; 0 or "none" keeps them forever',
      days,
    );
  runs<RetentionOptions>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const wanted = given({
      recordings: override(options.recordingsDays),
      transcripts: override(options.transcriptsDays),
      contacts: override(options.contactsDays),
    });
    const fields = retentionColumns(wanted);
    if (fields.length > 0) {
      await audited(session, async (trx) => ({
        answer: await setRetention(trx, organization.id, wanted),
        record: {
          organizationId: organization.id,
          action: 'org.update' as const,
          subjectId: organization.id,
          fields,
        },
      }));
    }
    const now = await retentionOf(session.db, organization.id);
    return {
      text: shown(organization.name, now),
      json: { id: organization.id, name: organization.name, ...asJson(now) },
    };
  });
}

const given = (wanted: Record<keyof Retention, number | null | undefined>): Partial<Retention> =>
  Object.fromEntries(Object.entries(wanted).filter(([, days]) => days !== undefined));

const kept = (days: number | null): Cell => (days === null ? 'forever' : `${days} days`);

const shown = (name: string, { recordings, transcripts, contacts }: Retention): string =>
  fieldList([
    ['name', name],
    ['recordings', kept(recordings)],
    ['transcripts', kept(transcripts)],
    ['contacts', kept(contacts)],
  ]);

const asJson = ({ recordings, transcripts, contacts }: Retention): object => ({
  recordings_days: recordings,
  transcripts_days: transcripts,
  contacts_days: contacts,
});
