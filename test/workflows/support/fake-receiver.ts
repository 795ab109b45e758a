import type { WebhookAnswer, WebhookSender } from '../../../activities/delivering/sender';

export interface PostedWebhook {
  url: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  /** In workflow time. */
  at: number;
}

/** A webhook receiver that records the requests that it gets. */
export class FakeReceiver implements WebhookSender {
  readonly posts: PostedWebhook[] = [];
  /** The status for the n-th request to a URL. Default: 200. */
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
