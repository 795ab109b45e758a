/** What the receiver logs of a delivery's signatures. It asks more than a client has to: both forms must hold. */
import { verifyWebhook, type WebhookRefusal, type WebhookToVerify } from '../../api/webhooks/verify-webhook';

export type SignedDelivery = Required<Pick<WebhookToVerify, 'headers' | 'body' | 'secrets' | 'nowMs'>>;

const FORMS = [
  ['service', 'X-Service-Signature'],
  ['standard', 'webhook-signature'],
] as const;

/** Null when both signatures hold, else the first reason why not. */
export function signatureFault(delivery: SignedDelivery): string | null {
  for (const [form, signature] of FORMS) {
    const verdict = verifyWebhook({ ...delivery, form });
    const fault = verdict.ok ? null : faultOf(verdict.reason, signature);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOf(reason: WebhookRefusal, signature: string): string | null {
  switch (reason) {
    case 'malformed-timestamp':
    case 'timestamp-too-old':
    case 'timestamp-too-new':
      return 'the timestamp is missing or more than 300 s away';
    case 'no-secret':
    case 'missing-header':
    case 'signature-mismatch':
      return `${signature} does not match`;
    case 'event-id-mismatch':
      return 'the two event ids differ';
    // The receiver compares the body's with the header's itself.
    case 'no-event-id':
      return null;
  }
}
