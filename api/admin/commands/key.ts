import type { Command } from 'commander';
import {
  expireApiKey,
  findApiKeys,
  issueApiKey,
  listApiKeys,
  PREFIX_LENGTH,
  revokeApiKey,
  SCOPES,
  stateOfKey,
  type ApiKey,
  type Scope,
} from '../../../db/organizations/api-keys';
import type { Db } from '../../../db/kernel/connection';
import { confirm, requireOrganization, audited, UsageError } from '../session';
import { duration, instant, label, moment, momentAhead, someOf, type Moment } from '../option-values';
import { isUuid } from '../../../domain/uuid';
import { plain, table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

const KEY_ARGUMENT = 'id, or at least the first twelve characters of the key; the rest is ignored';

export function keyCommands(program: Command, admin: Admin): void {
  const key = noun(program, 'key', 'API keys');
  create(key, admin);
  list(key, admin);
  revoke(key, admin);
  expire(key, admin);
}

function create(key: Command, admin: Admin): void {
  const command = verb(key, 'create', 'create a key, which is shown only once', [
    'create --org Acme',
    'create --org Acme --name "billing system" --scopes read --expires 90d',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option('--name <label>', 'purpose of the key', label)
    .option(
      '--scopes <scopes>',
      'comma-separated list of read, operate and configure; default: all',
      someOf(SCOPES),
    )
    .option(
      '--expires <when>',
      'duration from now, or a date, such as 90d or 2026-12-31; default: never',
      moment,
    );
  runs<NewKey>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const { id, key: issued } = await audited(session, async (trx, now) => {
      const expiresAt = options.expires && ahead(options.expires, now, '--expires');
      const made = await issueApiKey(trx, organization.id, {
        label: options.name,
        scopes: options.scopes,
        expiresAt,
      });
      return {
        answer: made,
        record: { organizationId: organization.id, action: 'key.create' as const, subjectId: made.id },
      };
    });
    return { text: `API key (shown only once): ${issued}\nId: ${id}`, json: { id, key: issued } };
  });
}

interface NewKey {
  org: string;
  name?: string;
  scopes?: Scope[];
  expires?: Moment;
}

function list(key: Command, admin: Admin): void {
  const command = verb(key, 'list', 'list the keys of one organization or of all', [
    'list --org Acme',
    'list',
  ]).option('--org <org>', 'id or name; default: all organizations');
  runs<{ org?: string }>(command, admin, async ({ db, clock, terminal: { isStyled } }, options) => {
    const organization = options.org === undefined ? null : await requireOrganization(db, options.org);
    const keys = await listApiKeys(db, organization?.id ?? null);
    const now = clock.now();
    const body = keys.map((found) => [
      found.id,
      ...(organization === null ? [found.organizationName] : []),
      found.label,
      found.prefix,
      found.scopes?.join(',') ?? 'all',
      found.madeBy,
      found.createdAt,
      found.lastUsedAt,
      found.expiresAt,
      found.revokedAt,
      stateOfKey(found, now),
    ]);
    const owner = organization === null ? ['organization'] : [];
    const instants = ['created', 'last used', 'expires', 'revoked'];
    const head = ['id', ...owner, 'label', 'prefix', 'scopes', 'created by', ...instants, 'state'];
    const text = table(head, body, { empty: 'There are no keys.', isStyled });
    return { text, json: keys.map((found) => keyJson(found, now)) };
  });
}

function revoke(key: Command, admin: Admin): void {
  const command = verb(key, 'revoke', 'revoke a key permanently', [
    'revoke vap_Xx1yZ2w3',
    'revoke 0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11 --yes',
  ]).argument('<key>', KEY_ARGUMENT);
  runs(command, admin, async (session, _options, given = '') => {
    const found = await keyOf(session.db, given);
    if (found.revokedAt === null) {
      await confirm(
        session.terminal,
        `${nameOf(found)} and all keys that it created will be rejected from now on. A revoked key cannot be restored.`,
        session.isConfirmed,
      );
    }
    const count = await audited(session, async (trx, now) => {
      const revoked = await revokeApiKey(trx, found.id, now);
      const record = (id: string) => ({
        organizationId: found.organizationId,
        action: 'key.revoke' as const,
        subjectId: id,
      });
      return { answer: revoked.length, record: revoked.map(record) };
    });
    const created = count - 1;
    const along =
      created > 0 ? `, along with ${created} ${created === 1 ? 'key' : 'keys'} that it created` : '';
    const text =
      count === 0 ? `${nameOf(found)} was already revoked.` : `${nameOf(found)} is revoked${along}.`;
    return { text, json: { id: found.id, revoked: true } };
  });
}

function expire(key: Command, admin: Admin): void {
  const command = verb(key, 'expire', 'set or remove the expiry of a key', [
    'expire vap_Xx1yZ2w3 --in 7d',
    'expire vap_Xx1yZ2w3 --at 2026-12-31T18:00:00Z',
    'expire vap_Xx1yZ2w3 --never',
  ])
    .argument('<key>', KEY_ARGUMENT)
    .option('--in <time>', 'duration from now, such as 24h or 7d', duration)
    .option('--at <instant>', 'date or timestamp in UTC', instant)
    .option('--never', 'remove the expiry');
  runs<{ in?: number; at?: number; never?: true }>(command, admin, async (session, options, given = '') => {
    const wishes = [options.in, options.at, options.never].filter((option) => option !== undefined);
    if (wishes.length !== 1) throw new UsageError('Pass exactly one of --in, --at and --never');
    const found = await keyOf(session.db, given);
    const expiresAt = await audited(session, async (trx, now) => {
      const when = options.in === undefined ? { atMs: options.at ?? 0 } : { distanceMs: options.in };
      const at = options.never === true ? null : ahead(when, now, 'The expiry');
      if (!(await expireApiKey(trx, found.id, at))) {
        throw new UsageError(`${nameOf(found)} is revoked and cannot be restored`);
      }
      const record = {
        organizationId: found.organizationId,
        action: 'key.expire' as const,
        subjectId: found.id,
        fields: ['expires_at'],
      };
      return { answer: at === null ? null : new Date(at), record };
    });
    const until = expiresAt === null ? 'does not expire' : `expires at ${expiresAt.toISOString()}`;
    return { text: `${nameOf(found)} ${until}.`, json: { id: found.id, expires_at: expiresAt } };
  });
}

function ahead(when: Moment, now: number, what: string): number {
  const at = momentAhead(when, now);
  if (at <= now)
    throw new UsageError(`${what} must be in the future. Use "key revoke" to end the key immediately`);
  return at;
}

/** Finds a key by its id or its prefix. If the operator pastes a whole key, only its prefix is looked up and shown. */
export async function keyOf(db: Db, given: string, organizationId: string | null = null): Promise<ApiKey> {
  const alike = await findApiKeys(db, isUuid(given) ? given : given.slice(0, PREFIX_LENGTH));
  const [found, ...others] = alike.filter(
    (key) => organizationId === null || key.organizationId === organizationId,
  );
  if (found === undefined) throw new UsageError('There is no such key. See "key list"');
  if (others.length > 0)
    throw new UsageError('Several keys begin with these characters. Use the id from "key list"');
  return found;
}

const nameOf = ({ prefix, label: name, organizationName }: ApiKey): string =>
  plain(`Key ${prefix}… of ${organizationName}${name === null ? '' : ` (${name})`}`);

const keyJson = (key: ApiKey, now: number): object => ({
  id: key.id,
  organization_id: key.organizationId,
  label: key.label,
  prefix: key.prefix,
  scopes: key.scopes ?? SCOPES,
  made_by: key.madeBy,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  state: stateOfKey(key, now),
});
