/** Asks the owners of e-mail addresses to agree to receive reports, and serves the page on which they do. */
import Router from '@koa/router';
import helmet from 'koa-helmet';
import type { Campaign } from '../../db/campaigns/campaigns';
import {
  askingOrganization,
  confirmAddress,
  CONFIRMATION_PATH,
  isConfirmationToken,
  requestConfirmations,
} from '../../db/campaigns/mail-addresses';
import { isUuid } from '../../domain/uuid';
import type { ApiDependencies } from '../dependencies';
import type { ApiContext, ApiState } from '../http/context';

/**
 * Requests confirmation from the campaign's unconfirmed addresses. A failure is only logged. An address that didn't get the request gets no
 * report.
 */
export async function confirmRecipients(
  {
    db,
    clock,
    settings,
    log,
  }: Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
    settings: Pick<ApiDependencies['settings'], 'mailConfirmedDomains'>;
  },
  { id: campaignId, organizationId, notificationEmails: addresses }: Campaign,
): Promise<void> {
  const { mailConfirmedDomains: confirmedDomains } = settings;
  await requestConfirmations(db, {
    organizationId,
    campaignId,
    addresses,
    confirmedDomains,
    now: clock.now(),
  }).catch(() => log.warn({ campaign_id: campaignId }, 'could not request confirmation of e-mail addresses'));
}

type Deps = Pick<ApiDependencies, 'db' | 'clock' | 'settings'>;

const POLICY = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
});

/** Opening the page changes nothing, because mail scanners open it too. */
export function confirmationRoutes(deps: Deps): Router<ApiState> {
  const router = new Router<ApiState>();
  router.get(CONFIRMATION_PATH, POLICY, async (ctx) => {
    const request = await requestIn(deps, ctx);
    if (request === null) answer(ctx, 404, 'The link is not valid', INVALID);
    else answer(ctx, 200, 'Confirm your address', question(request.organizationName));
  });
  router.post(CONFIRMATION_PATH, POLICY, async (ctx) => {
    const request = await requestIn(deps, ctx);
    if (request === null) {
      answer(ctx, 404, 'The link is not valid', INVALID);
      return;
    }
    await confirmAddress(deps.db, request.addressId, deps.clock.now());
    answer(ctx, 200, 'Your address is confirmed', '<p>You can close this page.</p>');
  });
  return router;
}

/** Returns null if the link is wrong, has expired, or belongs to a deleted address. A wrong link is rejected without a query. */
async function requestIn(
  { db, clock, settings }: Deps,
  ctx: ApiContext,
): Promise<{ addressId: string; organizationName: string } | null> {
  const { id, token } = ctx.query;
  if (typeof id !== 'string' || typeof token !== 'string' || !isUuid(id)) return null;
  if (!isConfirmationToken(settings.secretsKeys, { addressId: id, token }, clock.now())) return null;
  const organizationName = await askingOrganization(db, id);
  return organizationName === undefined ? null : { addressId: id, organizationName };
}

const INVALID =
  '<p>It may have expired. You will receive a new e-mail when the next campaign includes your address.</p>';

/** The form has no `action`, so browsers submit it to the page's own URL with its query. */
const question = (organizationName: string): string =>
  `<p>${escaped(organizationName)} wants to send reports about its calling campaigns to your address.</p>
<form method="post"><button type="submit">Agree</button></form>
<p>If you did not expect this, close the page and no reports will be sent.</p>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function answer(ctx: ApiContext, status: number, title: string, content: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${title}</title></head>
<body><h1>${title}</h1>
${content}</body>
</html>
`;
}
