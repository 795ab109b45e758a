import { recordAudit } from '../../db/organizations/audit';
import {
  listSigningSecrets,
  rotateSigningSecret,
  stateOfSecret,
  type IssuedSecret,
} from '../../db/webhooks/signing-secrets';
import type { ApiDependencies, RouteTools } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { iso } from '../http/responses';
import { id, integer, oneOf, text, timestamp } from '../http/schema/kinds';
import { tooManySecrets } from '../http/errors/refusals';
import { about, defaulting, list, nullable, object } from '../http/schema/field';

const PATH = '/api/webhook-secrets';
const HOUR_MS = 3_600_000;
const MAX_HOURS = 720;
const DAY_HOURS = 24;
/** At most two of them are valid. The others show the times of earlier rotations. */
const MAX_LISTED = 50;

const secret = object(
  {
    id: id(),
    created_at: timestamp(),
    expires_at: about(nullable(timestamp()), 'Signs webhooks until then. Null if it does not expire'),
    state: oneOf('valid', 'expired'),
  },
  { name: 'WebhookSecret', description: 'Does not contain the secret itself.' },
);

const ROTATION = json(
  object(
    {
      overlap_hours: about(
        defaulting(integer(0, MAX_HOURS), DAY_HOURS),
        'Hours during which the old secret still signs alongside the new one. 0 expires all old secrets immediately',
      ),
    },
    { name: 'SecretRotation' },
  ),
  {
    examples: {
      day: { summary: 'Give receivers a day to switch', value: { overlap_hours: 24 } },
      leaked: { summary: 'Replace a leaked secret', value: { overlap_hours: 0 } },
    },
  },
);

export const webhookSecretEndpoints = (tools: RouteTools): Endpoint[] => [listing(tools), rotating(tools)];

const listing = ({ deps: { db, clock } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Webhooks',
    summary: 'List the signing secrets of webhooks, newest first',
    access: byKey,
    scope: 'configure',
    input: {},
    answer: answers('The last 50 secrets', object({ data: list(secret) }, { name: 'WebhookSecrets' })),
    handle: (_input, organization) => listSigningSecrets(db, organization.id, MAX_LISTED),
    present: (secrets) => ({
      data: secrets.map((each) => ({
        id: each.id,
        created_at: iso(each.createdAt),
        expires_at: iso(each.expiresAt),
        state: stateOfSecret(each, clock.now()),
      })),
    }),
  });

const rotating = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: `${PATH}/rotate`,
    tag: 'Webhooks',
    summary: 'Rotate the signing secret of webhooks',
    description:
      'The new secret is shown only once. Until the old one expires, webhooks are signed with both.',
    access: byKey,
    scope: 'configure',
    input: { body: ROTATION },
    answer: answers(
      'The new secret',
      object(
        {
          id: id(),
          secret: about(text(), 'The secret. It is shown only once'),
          older_sign_until: about(timestamp(), 'Latest time at which older secrets expire'),
        },
        { name: 'RotatedSecret' },
      ),
      { status: 201 },
    ),
    refusals: [tooManySecrets()],
    handle: ({ body }, organization) => rotate(deps, body.overlap_hours * HOUR_MS, organization),
    present: ({ issued, olderSignUntil }) => ({
      id: issued.id,
      secret: issued.secret,
      older_sign_until: iso(olderSignUntil),
    }),
  });

async function rotate(
  { db, clock, settings: { secretsKeys } }: ApiDependencies,
  overlapMs: number,
  { id: organizationId, actor }: ApiClient,
): Promise<{ issued: IssuedSecret; olderSignUntil: Date }> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const made = await rotateSigningSecret(trx, { organizationId, secretsKeys, overlapMs, now });
    if (made.kind === 'too many') throw tooManySecrets();
    const { issued } = made;
    await recordAudit(trx, { organizationId, actor, action: 'secret.rotate', subjectId: issued.id, now });
    return { issued, olderSignUntil: new Date(now + overlapMs) };
  });
}
