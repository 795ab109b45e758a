import type { WebhookAnswer, WebhookSender } from '../../../activities/delivering/sender';

export interface PostedWebhook {
  url: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  /** Workflow time. */
  at: number;
}

/** A webhook receiver that records what it is sent. */
export class FakeReceiver implements WebhookSender {
  readonly posts: PostedWebhook[] = [];
  /** The status for the n-th post to a URL, accepted by default. */
  answer: (url: string, nth: number) => number = () => 200;

  constructor(private readonly now: () => Promise<number>) {}

  async post(url: string, body: string, headers: Record<string, string>): Promise<WebhookAnswer> {
    const nth = this.posts.filter((post) => post.url === url).length + 1;
    this.posts.push({
      url,
      body: JSON.parse(body) as Record<string, unknown>,
      headers,
      at: await this.now(),
    });
    const statusCode = this.answer(url, nth);
    return { statusCode, durationMs: 1, error: statusCode < 300 ? null : `status ${statusCode}` };
  }
}
