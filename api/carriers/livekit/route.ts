import Router from '@koa/router';
import { WebhookReceiver, type WebhookEvent } from 'livekit-server-sdk';
import type { Clock } from '../../../runtime/clock';
import type { ApiContext, ApiState } from '../../http/endpoint';
import { notAuthorised } from '../../http/errors/refusals';
import { textBody } from '../../http/input/text-body';
import type { RoomEvents } from './handle-event';
import { roomEvent } from './room-event';

/** Below the public URL; LiveKit's configuration names the whole address. */
export const LIVEKIT_EVENTS_PATH = '/api/livekit/webhook';

/**
 * Where LiveKit reports what happens in its rooms. Each request is signed, body included, with a key that LiveKit and we share; the signature
 * ends after some minutes.
 */
export function livekitEventRoutes(
  { events, clock }: { events: RoomEvents; clock: Clock },
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Router<ApiState> {
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  const router = new Router<ApiState>();
  router.post(LIVEKIT_EVENTS_PATH, async (ctx) => {
    const webhook = await verified(ctx, receiver);
    await events.handle(roomEvent(webhook, clock.now()));
    ctx.body = { accepted: true };
  });
  return router;
}

/** The body as it came: read as JSON and written again it would not have the same digest. */
async function verified(ctx: ApiContext, receiver: WebhookReceiver): Promise<WebhookEvent> {
  const body = await textBody(ctx);
  try {
    return await receiver.receive(body, ctx.get('authorization'));
  } catch {
    // No token, a wrong or an old one, or another body than was signed: which of them is nobody's business.
    throw notAuthorised();
  }
}
