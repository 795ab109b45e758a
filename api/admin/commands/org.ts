import { InvalidArgumentError, type Command } from 'commander';
import { keptOf, setQuotas } from '../../../db/organizations/quotas';
import {
  MAX_LINES,
  changedColumns,
  organizationsNamed,
  findOrganization,
  insertOrganization,
  updateOrganization,
  type Organization,
  type OrganizationChange,
  findOrganizationOverview,
  listOrganizations,
} from '../../../db/organizations/organizations';
import { QUOTA_NAMES, readQuotas, type QuotaName } from '../../../domain/quotas';
import { label, orDefault, override, wholeNumber } from '../option-values';
import { requireOrganization, audited, type Session } from '../session';
import { fieldList, plain, table, type Cell } from '../table';
import { noun, runs, verb, type Admin } from '../verb';
import { breakers } from './org-breakers';
import { retention } from './org-retention';
import { rules } from './org-rules';

const MAX_PER_MINUTE = 1_000_000;

export function orgCommands(program: Command, admin: Admin): void {
  const org = noun(program, 'org', 'organizations and their limits');
  create(org, admin);
  list(org, admin);
  show(org, admin);
  update(org, admin);
  limits(org, admin);
  breakers(org, admin);
  retention(org, admin);
  rules(org, admin);
}

function create(org: Command, admin: Admin): void {
  const command = verb(org, 'create', 'create an organization', ['create --name "Acme" --max-concurrency 20'])
    .requiredOption('--name <name>', 'name of the organization', label)
    .option('--max-concurrency <k>', 'maximum number of live calls; default 10', wholeNumber(1, MAX_LINES));
  runs<{ name: string; maxConcurrency?: number }>(
    command,
    admin,
    async (session, { name, maxConcurrency }) => {
      const { organization, namesakes } = await audited(session, async (trx) => {
        const before = await organizationsNamed(trx, name);
        const made = await insertOrganization(trx, {
          name,
          ...(maxConcurrency !== undefined && { maxConcurrency }),
        });
        const record = { organizationId: made.id, action: 'org.create' as const, subjectId: made.id };
        return { answer: { organization: made, namesakes: before.length }, record };
      });
      if (namesakes > 0) {
        session.terminal.note('Another organization has the same name. Use the id for --org');
      }
      const text = `Created ${plain(organization.name)} with at most ${organization.maxConcurrency} live calls.\nId: ${organization.id}`;
      return { text, json: { id: organization.id, name: organization.name } };
    },
  );
}

function list(org: Command, admin: Admin): void {
  const command = verb(org, 'list', 'list all organizations', ['list', 'list --json']);
  runs(command, admin, async ({ db, terminal: { isStyled } }) => {
    const organizations = await listOrganizations(db);
    const body = organizations.map((organization) => [
      organization.id,
      organization.name,
      organization.maxConcurrency,
      organization.liveCalls,
      organization.waitingCalls,
      organization.createdAt,
    ]);
    const head = ['id', 'name', 'max concurrency', 'live calls', 'waiting', 'created'];
    const text = table(head, body, { empty: 'There are no organizations.', isStyled });
    const json = organizations.map((organization) => ({
      id: organization.id,
      name: organization.name,
      ...limitsJson(organization),
      live_calls: organization.liveCalls,
      waiting_calls: organization.waitingCalls,
      created_at: organization.createdAt,
    }));
    return { text, json };
  });
}

function show(org: Command, admin: Admin): void {
  const command = verb(org, 'show', "show an organization's limits and usage", [
    'show --org Acme',
  ]).requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async ({ db, clock }, options) => {
    const { id } = await requireOrganization(db, options.org);
    const organization = await findOrganizationOverview(db, id, clock.now());
    if (organization === undefined) throw new Error('the organization was deleted');
    const kept = await keptOf(db, id);
    const text = fieldList([
      ['id', organization.id],
      ['name', organization.name],
      ['created', organization.createdAt],
      ...limitFields(organization),
      ['live calls', organization.liveCalls],
      ['waiting calls', organization.waitingCalls],
      ['valid keys', organization.keys],
      ['valid signing secrets', organization.signingSecrets],
      ['agents', organization.agents],
      ['campaigns', `${organization.campaigns} (${organization.openCampaigns} open)`],
      ['do-not-disturb numbers', organization.dndNumbers],
      ...QUOTA_NAMES.map(
        (name) => [`stored ${name}`, storedAmount(kept[name], organization.quotas[name])] as const,
      ),
    ]);
    const json = {
      id: organization.id,
      name: organization.name,
      created_at: organization.createdAt,
      ...limitsJson(organization),
      live_calls: organization.liveCalls,
      waiting_calls: organization.waitingCalls,
      valid_keys: organization.keys,
      valid_signing_secrets: organization.signingSecrets,
      agents: organization.agents,
      campaigns: organization.campaigns,
      open_campaigns: organization.openCampaigns,
      dnd_numbers: organization.dndNumbers,
      kept,
    };
    return { text, json };
  });
}

function update(org: Command, admin: Admin): void {
  const command = verb(org, 'update', 'rename an organization', ['update --org Acme --name "Acme Finance"'])
    .requiredOption('--org <org>', 'id or name')
    .requiredOption('--name <name>', 'new name', label);
  runs<{ org: string; name: string }>(command, admin, async (session, { org: idOrName, name }) => {
    const organization = await change(session, idOrName, { name });
    return {
      text: `The organization is now named ${plain(organization.name)}.\nId: ${organization.id}`,
      json: { id: organization.id, name },
    };
  });
}

interface LimitOptions {
  org: string;
  maxConcurrency?: number;
  callerLines?: number | 'default';
  dispatchPerMinute?: number | 'default';
  requestsPerMinute?: number | 'default';
  quotas?: QuotaChange;
}

function limits(org: Command, admin: Admin): void {
  const command = verb(org, 'limits', "show or change an organization's limits", [
    'limits --org Acme',
    'limits --org Acme --max-concurrency 40 --dispatch-per-minute 120',
    'limits --org Acme --dispatch-per-minute default',
    'limits --org Acme --quotas contacts=20000000,agents=default',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option('--max-concurrency <k>', 'maximum number of live calls', wholeNumber(1, MAX_LINES))
    .option(
      '--caller-lines <k>',
      'lines that inbound calls can use; "default" means four fifths of the lines',
      orDefault(wholeNumber(0, MAX_LINES)),
    )
    .option(
      '--dispatch-per-minute <n>',
      'dispatch requests per minute; 0 means unlimited, "default" uses the configured limit',
      orDefault(wholeNumber(0, MAX_PER_MINUTE)),
    )
    .option(
      '--requests-per-minute <n>',
      'all other requests per minute; 0 means unlimited, "default" uses the configured limit',
      orDefault(wholeNumber(0, MAX_PER_MINUTE)),
    )
    .option(
      '--quotas <quotas>',
      `storage quotas, such as contacts=5000000; 0 means unlimited. Names: ${QUOTA_NAMES.join(', ')}`,
      quotas,
    );
  runs<LimitOptions>(command, admin, async (session, options) => {
    const { maxConcurrency, callerLines, dispatchPerMinute, requestsPerMinute } = options;
    const wanted: OrganizationChange = {
      maxConcurrency,
      callerLines: override(callerLines),
      dispatchPerMinute: override(dispatchPerMinute),
      otherPerMinute: override(requestsPerMinute),
    };
    const organization = await change(session, options.org, wanted, options.quotas);
    return {
      text: fieldList([['name', organization.name], ...limitFields(organization)]),
      json: { id: organization.id, name: organization.name, ...limitsJson(organization) },
    };
  });
}

/** Returns the organization unchanged if there is nothing to change. */
async function change(
  session: Session,
  idOrName: string,
  wanted: OrganizationChange,
  changedQuotas: QuotaChange = {},
): Promise<Organization> {
  const organization = await requireOrganization(session.db, idOrName);
  const columns = changedColumns(wanted);
  const names = Object.keys(changedQuotas).map((name) => `quotas.${name}`);
  if (columns.length + names.length === 0) return organization;
  return audited(session, async (trx) => {
    if (names.length > 0) await setQuotas(trx, organization.id, changedQuotas);
    const changed =
      columns.length > 0
        ? await updateOrganization(trx, organization.id, wanted)
        : await findOrganization(trx, organization.id);
    const fields = [...columns, ...names];
    return {
      answer: changed ?? organization,
      record: {
        organizationId: organization.id,
        action: 'org.update' as const,
        subjectId: organization.id,
        fields,
      },
    };
  });
}

type QuotaChange = Partial<Record<QuotaName, number | null>>;

/** Parses the format of `QUOTAS`, where `name=default` restores the configured quota. */
function quotas(text: string): QuotaChange {
  const pairs = text.split(',').map((pair) => pair.trim());
  const defaults = QUOTA_NAMES.filter((name) => pairs.includes(`${name}=default`));
  const numbers = pairs.filter((pair) => !pair.endsWith('=default'));
  const read = numbers.length === 0 ? {} : readQuotas(numbers.join(','));
  if (read === null || defaults.length + numbers.length < pairs.length)
    throw new InvalidArgumentError(
      `must be quotas such as contacts=5000000,agents=default. Names: ${QUOTA_NAMES.join(', ')}`,
    );
  return { ...read, ...Object.fromEntries(defaults.map((name) => [name, null])) };
}

const storedAmount = (kept: number, quota: number | undefined): string => {
  if (quota === undefined) return `${kept}, default quota`;
  return quota === 0 ? `${kept}, unlimited` : `${kept} of ${quota}`;
};

function limitFields({ maxConcurrency, callerLines, rateLimits }: Organization): (readonly [string, Cell])[] {
  return [
    ['max concurrency', maxConcurrency],
    ['lines for inbound calls', callerLines],
    ['dispatches per minute', perMinute(rateLimits.dispatchPerMinute)],
    ['other requests per minute', perMinute(rateLimits.otherPerMinute)],
  ];
}

const perMinute = (limit: number | null): Cell => (limit === 0 ? 'unlimited' : (limit ?? 'default'));

const limitsJson = ({ maxConcurrency, callerLines, rateLimits, quotas: own }: Organization): object => ({
  quotas: own,
  max_concurrency: maxConcurrency,
  caller_lines: callerLines,
  rate_limits: {
    dispatch_per_minute: rateLimits.dispatchPerMinute,
    other_per_minute: rateLimits.otherPerMinute,
  },
});
