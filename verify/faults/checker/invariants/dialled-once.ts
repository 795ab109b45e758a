import type { Dial } from '../dials';
import { nationalDigits } from '../dials';
import { isoOf, masked } from '../instant';
import { dialsByContact, type Run } from '../run';

export function dialledOnce(run: Run): string[] {
  return [
    ...placedTwice(run),
    ...unknownToPostgres(run),
    ...beyondAllowedAttempts(run),
    ...beyondAllowedOfNumber(run),
  ];
}

/** Returns each further call with a reference that was already used. */
export function duplicateDials(dials: readonly Dial[]): Dial[] {
  const seen = new Set<string>();
  return dials.filter(({ reference }) => {
    const isSecond = seen.has(reference);
    seen.add(reference);
    return isSecond;
  });
}

function placedTwice({ dials }: Run): string[] {
  return duplicateDials(dials).map(
    (dial) =>
      `call ${dial.reference} was placed again at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}): one attempt reached the carrier twice`,
  );
}

function unknownToPostgres({ dials }: Run): string[] {
  return dials
    .filter(({ row }) => row === null)
    .map(
      (dial) =>
        `the carrier placed call ${dial.reference} at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), but Postgres has no such call`,
    );
}

function beyondAllowedAttempts(run: Run): string[] {
  return [...dialsByContact(run.dials).values()].flatMap((dials) => {
    const attempts = firstOfEach(dials.filter(({ isCallback }) => !isCallback));
    return attempts.flatMap((dial, index) => {
      const campaign = run.campaign(dial.campaignId);
      if (campaign === undefined) return [];
      const allowed = Math.max(
        ...run
          .terms(campaign)
          .possible(dial.placedMs)
          .map((terms) => terms.maxRetries),
      );
      if (index < allowed) return [];
      return `row ${dial.contactRow} of campaign ${campaign.id} got dial ${index + 1} at ${isoOf(dial.placedMs)} (call ${dial.reference}, simulator.jsonl:${dial.line}), but only ${allowed} dials were allowed`;
    });
  });
}

function firstOfEach(dials: Dial[]): Dial[] {
  const doubles = new Set(duplicateDials(dials));
  return dials.filter((dial) => !doubles.has(dial));
}

/** Checks that a number gets no more dials than all its contacts allow, without relying on Postgres. */
function beyondAllowedOfNumber(run: Run): string[] {
  const byNumber = new Map<string, Dial[]>();
  for (const dial of run.dials) {
    const digits = nationalDigits(dial.to);
    byNumber.set(digits, [...(byNumber.get(digits) ?? []), dial]);
  }
  return [...byNumber].flatMap(([digits, dials]) => {
    const allowed = allowedOfNumber(run, digits);
    if (dials.length <= allowed) return [];
    const references = dials.map(({ reference }) => reference).join(', ');
    return `the number ${masked(dials[0]?.to ?? '')} was dialled ${dials.length} times (${references}), but only ${allowed} were allowed`;
  });
}

function allowedOfNumber({ evidence, dials, asked, terms }: Run, digits: string): number {
  const ofCampaigns = evidence.campaigns
    .filter(({ contacts }) => contacts.some((contact) => nationalDigits(contact.phone_number) === digits))
    .map((campaign) =>
      Math.max(
        ...terms(campaign)
          .possible(-Infinity, Infinity)
          .map((each) => each.maxRetries),
      ),
    );
  const dispatches = asked.filter(
    ({ kind, fields }) => kind === 'dispatch' && nationalDigits(textOf(fields.contact_number)) === digits,
  );
  const callbacks = dials.filter(({ isCallback, to }) => isCallback && nationalDigits(to) === digits);
  return ofCampaigns.reduce((sum, each) => sum + each, 0) + dispatches.length + callbacks.length;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
