import Router from '@koa/router';
import { TokenVerifier, WebhookReceiver, type WebhookEvent } from 'livekit-server-sdk';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext, ApiState } from '../../http/endpoint';
import { notAuthorised } from '../../http/errors/refusals';
import { textBody } from '../../http/input/text-body';
import { ownedByPlatform } from '../../http/input/within-budget';
import type { RoomEvents } from './handle-event';
import { roomEvent } from './room-event';

/** Path below the public URL. LiveKit's configuration contains the whole URL. */
export const LIVEKIT_EVENTS_PATH = '/api/livekit/webhook';

/**
 * Receives LiveKit's webhooks. Each request and its body are signed with a key shared with LiveKit, and the signature expires after some
 * minutes.
 */
export function livekitEventRoutes(
  { events, clock }: { events: Pick<RoomEvents, 'handle'>; clock: Clock },
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Router<ApiState> {
  const tokens = new TokenVerifier(apiKey, apiSecret);
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  const router = new Router<ApiState>();
  router.post(LIVEKIT_EVENTS_PATH, async (ctx) => {
    await assertWebhookToken(ctx, tokens);
    const webhook = await verified(ctx, receiver);
    await events.handle(roomEvent(webhook, clock.now()));
    ctx.body = { accepted: true };
  });
  return router;
}

/** Checks the token before the body is read. Participant tokens are signed with the same key but contain no body digest. */
async function assertWebhookToken(ctx: ApiContext, tokens: TokenVerifier): Promise<void> {
  const claims = await tokens.verify(ctx.get('authorization')).catch(() => null);
  if (!claims?.sha256) throw notAuthorised();
  ownedByPlatform(ctx);
}

/** Compares the raw body with the digest in the token. Parsed and reserialized JSON would have another digest. */
async function verified(ctx: ApiContext, receiver: WebhookReceiver): Promise<WebhookEvent> {
  const body = await textBody(ctx);
  try {
    return await receiver.receive(body, ctx.get('authorization'));
  } catch {
    // Don't reveal which check failed.
    throw notAuthorised();
  }
}
