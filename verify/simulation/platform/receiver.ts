/** Webhook receivers of the organizations. They accept, reject or hang depending on the path, and record requests for the judge. */
import type { WebhookAnswer, WebhookSender } from '../../../activities/delivering/sender';
import type { ReceiverLine } from '../../faults/checker/evidence';
import { receiverUrl } from './settings';
import { MessageLost, type SimulatedProcess, type World } from '../world';

const TIME_OUT_MS = 5_000;

interface WebhookRequest {
  body: string;
  headers: Record<string, string>;
}

interface ReceiverFault {
  host: string;
  how: 'hangs' | 'dies';
  untilMs: number;
  /** The receiver died while it handled a request. */
  isDown: boolean;
}

export class SimulatedReceiver {
  readonly lines: (ReceiverLine & { line: number })[] = [];
  /** Called for each request that arrived. */
  onLine: () => void = () => undefined;

  private readonly faults: ReceiverFault[] = [];

  constructor(private readonly world: World) {}

  fail(organization: number, how: 'hangs' | 'dies', untilMs: number): void {
    this.faults.push({ host: new URL(receiverUrl(organization, '/')).host, how, untilMs, isDown: false });
  }

  senderOf(process: SimulatedProcess): WebhookSender {
    const { world } = this;
    return {
      post: async (url, body, headers) => {
        const startedMs = world.nowMs;
        const answer = (statusCode: number | null, error: string | null): WebhookAnswer => ({
          statusCode,
          durationMs: Math.round(world.nowMs - startedMs),
          error,
        });
        const { host, pathname } = new URL(url);
        try {
          const answered = (): number | null => this.answer(host, pathname, { body, headers });
          const status = await world.exchange(process, 'receiver', answered);
          if (status === null) {
            await world.scheduler.sleep(Math.max(0, TIME_OUT_MS - (world.nowMs - startedMs)), process);
            return answer(null, 'no answer in time');
          }
          return answer(status, status < 300 ? null : `status ${status}`);
        } catch (error) {
          if (!(error instanceof MessageLost)) throw error;
          return answer(null, `connection ${error.how}`);
        }
      },
    };
  }

  /** Returns null if the receiver hangs, which means that it reads the request but never responds. */
  private answer(host: string, path: string, request: WebhookRequest): number | null {
    const fault = this.faults.find((each) => each.host === host && each.untilMs > this.world.nowMs);
    if (fault === undefined) return this.take(path, request);
    if (fault.how === 'hangs') return this.take(path, request, true);
    if (fault.isDown) throw new MessageLost('receiver', 'refused');
    fault.isDown = true;
    this.take(path, request);
    throw new MessageLost('receiver', 'lost');
  }

  private take(path: string, { body, headers }: WebhookRequest, isHanging = false): number | null {
    const fields = JSON.parse(body) as Record<string, string | undefined>;
    const eventId = fields.event_id ?? null;
    const attempt = Number(headers['X-Service-Delivery-Attempt']);
    const status = isHanging ? null : statusOf(path, eventId, attempt);
    this.lines.push({
      line: this.lines.length + 1,
      at: new Date(this.world.nowMs).toISOString(),
      event: fields.event ?? null,
      event_id: eventId,
      attempt,
      call_id: fields.call_id ?? null,
      campaign_id: fields.campaign_id ?? null,
      valid: true,
      fault: null,
      status: status ?? 0,
      timestamp: headers['X-Service-Timestamp'] ?? null,
      signature: headers['X-Service-Signature'] ?? null,
    });
    this.onLine();
    return status;
  }
}

function statusOf(path: string, eventId: string | null, attempt: number): number | null {
  const isPicked = Number.parseInt(eventId?.slice(-1) ?? '0', 16) % 2 === 1;
  switch (path) {
    case '/dead':
      return 500;
    case '/flaky':
      return attempt === 1 && isPicked ? 500 : 200;
    case '/hanging':
      return attempt === 1 && isPicked ? null : 200;
    default:
      return 200;
  }
}
