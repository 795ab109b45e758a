import type { Command } from 'commander';
import {
  addSigningSecret,
  findSigningSecret,
  listSigningSecrets,
  revokeSigningSecret,
  rotateSigningSecret,
  stateOfSecret,
  type SecretAddition,
} from '../../../db/webhooks/signing-secrets';
import { confirm, requireOrganization, audited, UsageError } from '../session';
import { duration } from '../option-values';
import { isUuid } from '../../../domain/uuid';
import { plain, table } from '../table';
import { noun, runs, verb, type Admin } from '../verb';

const DAY_MS = 86_400_000;

export function secretCommands(program: Command, admin: Admin): void {
  const secret = noun(program, 'secret', 'signing secrets of webhooks');
  create(secret, admin);
  list(secret, admin);
  rotate(secret, admin);
  revoke(secret, admin);
}

function create(secret: Command, admin: Admin): void {
  const command = verb(secret, 'create', 'create a secret, which is shown only once; at most two are valid', [
    'create --org Acme',
  ]).requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const { secretsKeys } = session;
    const { id, secret: issued } = await audited(session, async (trx, now) => {
      const answer = issuedOf(
        await addSigningSecret(trx, { organizationId: organization.id, secretsKeys, now }),
      );
      return {
        answer,
        record: { organizationId: organization.id, action: 'secret.create' as const, subjectId: answer.id },
      };
    });
    return { text: `Signing secret (shown only once): ${issued}\nId: ${id}`, json: { id, secret: issued } };
  });
}

function list(secret: Command, admin: Admin): void {
  const command = verb(secret, 'list', 'list the secrets of an organization, without their values', [
    'list --org Acme',
  ]).requiredOption('--org <org>', 'id or name');
  runs<{ org: string }>(command, admin, async ({ db, clock, terminal: { isStyled } }, options) => {
    const organization = await requireOrganization(db, options.org);
    const secrets = await listSigningSecrets(db, organization.id);
    const now = clock.now();
    const body = secrets.map((found) => [
      found.id,
      found.createdAt,
      found.expiresAt,
      stateOfSecret(found, now),
    ]);
    const empty = 'There are no signing secrets. Webhooks of this organization are not signed.';
    const json = secrets.map((found) => ({
      id: found.id,
      created_at: found.createdAt,
      expires_at: found.expiresAt,
      state: stateOfSecret(found, now),
    }));
    return { text: table(['id', 'created', 'expires', 'state'], body, { empty, isStyled }), json };
  });
}

function rotate(secret: Command, admin: Admin): void {
  const command = verb(
    secret,
    'rotate',
    'create a new secret, which is shown only once; the old one stays valid for a while',
    ['rotate --org Acme', 'rotate --org Acme --overlap 7d', 'rotate --org Acme --overlap 0 --yes'],
  )
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--overlap <time>',
      'how long both are valid; default 24h, 0 expires the old one immediately',
      duration,
    );
  runs<{ org: string; overlap?: number }>(command, admin, async (session, options) => {
    const organization = await requireOrganization(session.db, options.org);
    const overlapMs = options.overlap ?? DAY_MS;
    if (overlapMs === 0) {
      const consequence = `Receivers of ${plain(organization.name)} that verify webhooks with an old secret will reject them from now on.`;
      await confirm(session.terminal, consequence, session.isConfirmed);
    }
    const { secretsKeys } = session;
    const { issued, oldExpireAt } = await audited(session, async (trx, now) => {
      const rotation = { organizationId: organization.id, secretsKeys, overlapMs, now };
      const made = issuedOf(await rotateSigningSecret(trx, rotation));
      const answer = { issued: made, oldExpireAt: new Date(now + overlapMs) };
      return {
        answer,
        record: { organizationId: organization.id, action: 'secret.rotate' as const, subjectId: made.id },
      };
    });
    const text = [
      `Signing secret (shown only once): ${issued.secret}`,
      `Id: ${issued.id}`,
      `Older secrets expire by ${oldExpireAt.toISOString()}.`,
    ].join('\n');
    return { text, json: { ...issued, old_expire_at: oldExpireAt } };
  });
}

function revoke(secret: Command, admin: Admin): void {
  const command = verb(secret, 'revoke', 'expire a secret immediately', [
    'revoke 0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11',
  ]).argument('<id>', 'id from "secret list"');
  runs(command, admin, async (session, _options, id = '') => {
    const found = isUuid(id) ? await findSigningSecret(session.db, id) : undefined;
    if (found === undefined) throw new UsageError('There is no such signing secret. See "secret list"');
    const now = session.clock.now();
    if (stateOfSecret(found, now) === 'valid') {
      const valid = (await listSigningSecrets(session.db, found.organizationId)).filter(
        (other) => stateOfSecret(other, now) === 'valid',
      );
      const consequence =
        valid.length === 1
          ? 'This is the only valid secret. Webhooks will no longer be signed.'
          : 'Receivers that only have this secret will reject webhooks from now on.';
      await confirm(session.terminal, consequence, session.isConfirmed);
    }
    const isChanged = await audited(session, async (trx, instant) => {
      const revoked = await revokeSigningSecret(trx, found.id, instant);
      const record = {
        organizationId: found.organizationId,
        action: 'secret.revoke' as const,
        subjectId: found.id,
      };
      return { answer: revoked, record: revoked ? record : null };
    });
    const text = isChanged ? 'The secret has been revoked.' : 'The secret had already expired.';
    return { text, json: { id: found.id, state: 'expired' } };
  });
}

function issuedOf(result: SecretAddition): { id: string; secret: string } {
  if (result.kind === 'added') return result.issued;
  const ends = result.valid.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt.getTime()]));
  const wait = ends.length === 0 ? '' : `, or wait until ${new Date(Math.min(...ends)).toISOString()}`;
  throw new UsageError(`Two secrets are already valid. Revoke one with "secret revoke"${wait}`);
}
