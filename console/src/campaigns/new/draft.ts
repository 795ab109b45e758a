import type { CreateCampaign } from '../../../../sdk/typescript/generated';
import { requestOfTerms, type Terms } from '../terms';
import { WEEKDAYS } from '../weekdays';

export interface Draft extends Terms {
  file: File | null;
  agentId: string;
  checksRegistry: boolean;
}

const DAY_MS = 86_400_000;

export function emptyDraft(now: Date): Draft {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return {
    file: null,
    name: '',
    agentId: '',
    lines: 1,
    from: day(now.getTime()),
    to: day(now.getTime() + 14 * DAY_MS),
    windowZone: 'utc',
    ruleProfile: '',
    start: '',
    end: '',
    days: WEEKDAYS.slice(0, 5),
    dials: 3,
    pauseMins: 30,
    checksRegistry: false,
    emails: '',
    campaignWebhook: '',
    callWebhook: '',
  };
}

/** Names what the user still has to enter. */
export function missingIn(draft: Draft): string[] {
  return [
    draft.file === null && 'a contact file',
    draft.name.trim() === '' && 'a name',
    draft.agentId === '' && 'an agent',
    (draft.start === '' || draft.end === '') && 'calling hours',
    draft.days.length === 0 && 'a weekday',
  ].filter((each) => each !== false);
}

/** Builds the API request. Returns null while a field is missing. */
export function requestOf(draft: Draft, zone: string): (CreateCampaign & { csv_file: File }) | null {
  const terms = requestOfTerms(draft, zone);
  if (draft.file === null || terms === null || missingIn(draft).length > 0) return null;
  return {
    ...terms,
    csv_file: draft.file,
    agent_id: draft.agentId,
    perform_dnd_check: draft.checksRegistry,
  };
}
