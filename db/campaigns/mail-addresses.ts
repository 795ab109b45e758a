/** Addresses that can receive reports. Their owner or an operator confirms each address once per organization. */
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';
import { type SecretsKeys, issueToken, tokenExpiry, type Signing } from '../kernel/secrets-keys';

const DAY_MS = 24 * 60 * 60 * 1000;
const LINK_LASTS_MS = 7 * DAY_MS;
/** Maximum number of confirmation requests per organization and day. Each address gets at most one a day. */
export const MAX_CONFIRMATIONS_PER_DAY = 20;
/** An address that isn't confirmed within this time is deleted. */
const UNCONFIRMED_KEPT_MS = 30 * DAY_MS;
/** Recipient number of the first confirmation. Recipients of reports have lower numbers. */
const FIRST_CONFIRMATION = 101;

/** SQL condition: the domain of the address is in `:domains`. `*` allows all. */
export const isOfAllowedDomain = (address: string): string =>
  `(substring(lower(${address}) from '@([^@]+)$') = any(:domains::text[]) or '*' = any(:domains::text[]))`;

/** Locks the organization's e-mails until the transaction ends, so that counts of them stay correct. Take this lock last. */
export async function lockMails(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, `select pg_advisory_xact_lock(hashtextextended('mails ' || :organizationId, 0))`, {
    organizationId,
  });
}

interface WantedConfirmations {
  organizationId: string;
  campaignId: string;
  addresses: readonly string[];
  confirmedDomains: readonly string[];
  now: number;
}

/** Stores confirmation e-mails for unconfirmed addresses, within the daily limits. Reconciliation starts sending them. */
export async function requestConfirmations(db: Db, wanted: WantedConfirmations): Promise<void> {
  const { organizationId, campaignId, now } = wanted;
  const addresses = [...new Set(wanted.addresses.map((address) => address.toLowerCase()))];
  if (addresses.length === 0) return;
  const bindings = {
    ...{ organizationId, campaignId, addresses, domains: [...wanted.confirmedDomains] },
    ...{ now: timestamp(now), dayAgo: timestamp(now - DAY_MS) },
  };
  await db.transaction(async (trx) => {
    await lockMails(trx, organizationId);
    const { asked } = await onlyRow<{ asked: number }>(
      trx,
      'select count(*) as asked from mail_addresses where organization_id = :organizationId and requested_at > :dayAgo',
      bindings,
    );
    if (asked >= MAX_CONFIRMATIONS_PER_DAY) return;
    await rows(
      trx,
      `with asked as (
         insert into mail_addresses (id, organization_id, address, requested_at)
         select gen_random_uuid(), :organizationId, w.address, :now from unnest(:addresses::text[]) with ordinality as w (address, place)
         where not ${isOfAllowedDomain('w.address')} and not exists (
           select from mail_addresses a where a.organization_id = :organizationId and a.address = w.address
             and (a.confirmed_at is not null or a.requested_at > :dayAgo))
         order by w.place limit :room
         on conflict (organization_id, address) do update set requested_at = excluded.requested_at
         returning address)
       insert into completion_mails (campaign_id, recipient, address, kind, status, created_at, check_at)
       select :campaignId, :first - 1 + row_number() over (order by address)
         + (select count(*) from completion_mails where campaign_id = :campaignId and kind = 'confirmation'),
         address, 'confirmation', 'pending', :now, :now from asked`,
      { ...bindings, room: MAX_CONFIRMATIONS_PER_DAY - asked, first: FIRST_CONFIRMATION },
    );
  });
}

/** Confirms an address for an operator. Returns false if it was already confirmed. */
export async function allowAddress(
  trx: Db,
  organizationId: string,
  address: string,
  now: number,
): Promise<boolean> {
  const confirmed = await rows(
    trx,
    `insert into mail_addresses (id, organization_id, address, confirmed_at) values (gen_random_uuid(), :organizationId, lower(:address), :now)
     on conflict (organization_id, address) do update set confirmed_at = excluded.confirmed_at
       where mail_addresses.confirmed_at is null returning 1`,
    { organizationId, address, now: timestamp(now) },
  );
  return confirmed.length > 0;
}

/** Removes an address, which then gets no reports until it is confirmed again. Returns false if it is unknown. */
export async function removeAddress(trx: Db, organizationId: string, address: string): Promise<boolean> {
  const removed = await rows(
    trx,
    'delete from mail_addresses where organization_id = :organizationId and address = lower(:address) returning 1',
    { organizationId, address },
  );
  return removed.length > 0;
}

interface MailAddress {
  address: string;
  requestedAt: Date | null;
  confirmedAt: Date | null;
}

export const mailAddresses = (db: Db, organizationId: string): Promise<MailAddress[]> =>
  rows<MailAddress>(
    db,
    `select address, requested_at as "requestedAt", confirmed_at as "confirmedAt" from mail_addresses
     where organization_id = :organizationId order by address limit 10000`,
    { organizationId },
  );

interface RequestedConfirmation {
  addressId: string;
  organizationName: string;
}

/** Returns the data for the confirmation e-mail. Undefined if the address is confirmed or deleted. */
export async function requestedConfirmation(
  db: Db,
  campaignId: string,
  address: string,
): Promise<RequestedConfirmation | undefined> {
  const [found] = await rows<RequestedConfirmation>(
    db,
    `select a.id as "addressId", o.name as "organizationName" from campaigns c
     join organizations o on o.id = c.organization_id join mail_addresses a on a.organization_id = c.organization_id and a.address = lower(:address)
     where c.id = :campaignId and a.confirmed_at is null`,
    { campaignId, address },
  );
  return found;
}

/** Returns the name of the organization that requested the confirmation. Undefined if the address was deleted. */
export async function askingOrganization(db: Db, addressId: string): Promise<string | undefined> {
  const [found] = await rows<{ name: string }>(
    db,
    'select o.name from mail_addresses a join organizations o on o.id = a.organization_id where a.id = :addressId',
    { addressId },
  );
  return found?.name;
}

/** Confirms an address for its owner. Safe to repeat. */
export async function confirmAddress(db: Db, addressId: string, now: number): Promise<void> {
  await rows(
    db,
    'update mail_addresses set confirmed_at = :now where id = :addressId and confirmed_at is null',
    { addressId, now: timestamp(now) },
  );
}

/** Removes addresses that weren't confirmed in time, also from their confirmation e-mails. */
export async function forgetUnconfirmed(db: Db, now: number): Promise<void> {
  await rows(
    db,
    `with forgotten as (
       delete from mail_addresses where confirmed_at is null and requested_at < :before returning organization_id, address)
     update completion_mails m set address = '' from campaigns c join forgotten f on f.organization_id = c.organization_id
     where m.campaign_id = c.id and m.kind = 'confirmation' and m.address = f.address`,
    { before: timestamp(now - UNCONFIRMED_KEPT_MS) },
  );
}

export interface ErasedAddress {
  /** 1 if the organization had the address. 0 if not. */
  addresses: number;
  /** Campaigns that had it as a recipient. */
  campaigns: number;
  /** E-mails to the address. Their rows are kept without the address. */
  mails: number;
}

/** Removes an address from everything that an organization stores. A pending e-mail to it is not sent. */
export async function eraseAddress(trx: Db, organizationId: string, address: string): Promise<ErasedAddress> {
  const bindings = { organizationId, address };
  // The transaction that ends a campaign writes its e-mails under the same locks, in the same order.
  const campaigns = await rows<{ id: string }>(
    trx,
    `select id from campaigns where organization_id = :organizationId
       and exists (select from unnest(notification_emails) as n (email) where lower(n.email) = lower(:address))
     order by id for no key update`,
    bindings,
  );
  await lockMails(trx, organizationId);
  await rows(
    trx,
    `update campaigns set notification_emails = array(
       select n.email from unnest(notification_emails) with ordinality as n (email, place)
       where lower(n.email) <> lower(:address) order by n.place)
     where id = any(:campaignIds)`,
    { ...bindings, campaignIds: campaigns.map(({ id }) => id) },
  );
  const mails = await rows(
    trx,
    `update completion_mails m set address = '',
       last_error = case when m.status = 'pending' then 'the address was erased' else m.last_error end,
       status = case when m.status = 'pending' then 'skipped' else m.status end
     from campaigns c where c.id = m.campaign_id and c.organization_id = :organizationId and lower(m.address) = lower(:address) returning 1`,
    bindings,
  );
  const isKnown = await removeAddress(trx, organizationId, address);
  return { addresses: isKnown ? 1 : 0, campaigns: campaigns.length, mails: mails.length };
}

const signing = (keys: SecretsKeys): Signing => ({ keys, purpose: 'mail confirmation' });

export const CONFIRMATION_PATH = '/confirm-email';

/** Returns the confirmation path under PUBLIC_URL. The token isn't stored, so only a person who reads the mailbox has it. */
export function confirmationPath(keys: SecretsKeys, addressId: string, now: number): string {
  const token = issueToken(signing(keys), { subject: addressId, validForMs: LINK_LASTS_MS }, now);
  return `${CONFIRMATION_PATH}?id=${addressId}&token=${token}`;
}

export const isConfirmationToken = (
  keys: SecretsKeys,
  { addressId, token }: { addressId: string; token: string },
  now: number,
): boolean => tokenExpiry(signing(keys), addressId, token, now) !== null;
