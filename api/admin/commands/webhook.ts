import type { Command } from 'commander';
import { listDeliveries, type DeliveryFilter, type ListedDelivery } from '../../../db/webhooks/deliveries';
import { MAX_REDELIVERIES } from '../../../db/webhooks/redelivery';
import { isUuid } from '../../../domain/uuid';
import { presentDelivery } from '../../webhooks/present';
import { DELIVERY_STATUSES, DONE_STATUSES, type DoneStatus } from '../../../domain/delivery';
import { redeliverManyWebhooks } from '../../webhooks/redeliver';
import { confirm, requireOrganization, UsageError } from '../session';
import { label, moment, momentBehind, oneOf, wholeNumber, type Moment } from '../option-values';
import { plain, table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

const LIMIT = 50;

interface Filters {
  org: string;
  campaign?: string;
  call?: string;
  since?: Moment;
  until?: Moment;
}

export function webhookCommands(program: Command, admin: Admin): void {
  const webhook = noun(program, 'webhook', 'webhook deliveries');
  list(webhook, admin);
  redeliver(webhook, admin);
}

const filtered = (command: Command): Command =>
  command
    .requiredOption('--org <org>', 'id or name')
    .option('--campaign <id>', 'events of this campaign and its calls', uuidOption)
    .option('--call <id>', 'events of this call', label)
    .option(
      '--since <time>',
      'events at or after this time: a date, a timestamp, or a duration ago such as 24h',
      moment,
    )
    .option(
      '--until <time>',
      'events before this time: a date, a timestamp, or a duration ago such as 24h',
      moment,
    );

function filterOf(
  { campaign, call, since, until }: Filters,
  organizationId: string,
  now: number,
): DeliveryFilter {
  const at = (when: Moment | undefined) =>
    when === undefined ? undefined : new Date(momentBehind(when, now)).toISOString();
  return { organizationId, campaignId: campaign, callId: call, from: at(since), to: at(until) };
}

function list(webhook: Command, admin: Admin): void {
  const command = filtered(
    verb(webhook, 'list', 'list deliveries and their results, newest first', [
      'list --org Acme --status failed --since 24h',
    ]),
  )
    .option('--status <status>', DELIVERY_STATUSES.join(', '), oneOf(DELIVERY_STATUSES))
    .option('--limit <n>', `maximum number to show; default ${LIMIT}`, wholeNumber(1, 1_000));
  runs<Filters & { status?: string; limit?: number }>(
    command,
    admin,
    async ({ db, clock, terminal: { isStyled } }, options) => {
      const organization = await requireOrganization(db, options.org);
      const filter = { ...filterOf(options, organization.id, clock.now()), status: options.status };
      const { items } = await listDeliveries(db, filter, { limit: options.limit ?? LIMIT, offset: 0 });
      const head = ['id', 'event', 'status', 'attempts', 'last response', 'next attempt'];
      const empty = 'There are no such deliveries.';
      return { text: table(head, items.map(lineOf), { empty, isStyled }), json: items.map(presentDelivery) };
    },
  );
}

function lineOf({ id, event, status, attempts, nextAttemptAt }: ListedDelivery) {
  const last = attempts.at(-1);
  const answered = last === undefined ? null : (last.error ?? `status ${last.statusCode ?? 'unknown'}`);
  return [id, event, status, String(attempts.length), answered, nextAttemptAt];
}

function redeliver(webhook: Command, admin: Admin): void {
  const command = filtered(
    verb(webhook, 'redeliver', 'start another round of five attempts for finished deliveries, oldest first', [
      'redeliver --org Acme --since 2026-11-02T09:00:00Z --until 2026-11-02T11:30:00Z',
      'redeliver --org Acme --campaign 0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11 --status delivered',
    ]),
  )
    .option('--status <status>', 'failed (default) or delivered', oneOf(DONE_STATUSES))
    .option(
      '--limit <n>',
      `maximum number to redeliver; default ${MAX_REDELIVERIES}`,
      wholeNumber(1, MAX_REDELIVERIES),
    );
  runs<Filters & { status?: DoneStatus; limit?: number }>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const { status = 'failed', limit = MAX_REDELIVERIES } = options;
    if (status === 'delivered') {
      const consequence = `${plain(organization.name)} will receive events again that it has already accepted.`;
      await confirm(session.terminal, consequence, session.isConfirmed);
    }
    const filter = { ...filterOf(options, organization.id, session.clock.now()), status };
    const done = await redeliverManyWebhooks(
      { ...session, temporal: session.temporal() },
      { filter, limit, actor: session.actor },
    );
    const left = done.skipped === 0 ? '' : ` ${done.skipped} more match. Run the command again later.`;
    return {
      text: `Redelivering ${done.redelivered} ${done.redelivered === 1 ? 'webhook' : 'webhooks'}.${left}`,
      json: done,
    };
  });
}

function uuidOption(text: string): string {
  if (!isUuid(text)) throw new UsageError('--campaign must be an id from "campaign list"');
  return text.toLowerCase();
}
