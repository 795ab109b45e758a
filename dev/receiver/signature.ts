/**
 * Checks a delivery's signatures for the receiver's log. It is stricter than an API client must be, because both signatures must be valid.
 */
import { verifyWebhook, type WebhookRefusal, type WebhookToVerify } from '../../api/webhooks/verify-webhook';

export type SignedDelivery = Required<Pick<WebhookToVerify, 'headers' | 'body' | 'secrets' | 'nowMs'>>;

const FORMS = [
  ['service', 'X-Service-Signature'],
  ['standard', 'webhook-signature'],
] as const;

/** Returns null if both signatures are valid, or the first fault. */
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
      return 'the timestamp is missing or differs by more than 300 s';
    case 'no-secret':
    case 'missing-header':
    case 'signature-mismatch':
      return `${signature} does not match`;
    case 'event-id-mismatch':
      return 'the two event ids differ';
    // The receiver itself compares the event id in the body with the header.
    case 'no-event-id':
      return null;
  }
}
