/** An API client's webhook endpoint that stores the bodies. Tests learn about deliveries only from here. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureFault } from '../../../dev/receiver/receiver';

export interface Delivered {
  path: string;
  body: any;
  headers: http.IncomingHttpHeaders;
  /** Describes what is wrong with the signatures; null if both are valid. */
  fault: string | null;
  /** True if the response was 200. */
  accepted: boolean;
}

export class WebhookReceiver {
  readonly deliveries: Delivered[] = [];
  /** A delivery may be signed with any of these secrets. */
  readonly secrets: string[] = [];
  /** Responds with 500 to deliveries for which this returns true. */
  refuses: (delivery: Omit<Delivered, 'accepted'>) => boolean = () => false;
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { headers, url = '/' } = request;
      const fault = signatureFault({ headers, body, secrets: this.secrets, nowMs: Date.now() });
      const delivery = { path: url, body: JSON.parse(body), headers, fault };
      const accepted = !this.refuses(delivery);
      this.deliveries.push({ ...delivery, accepted });
      response.writeHead(accepted ? 200 : 500).end();
    });
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** `host:port` */
  get host(): string {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the receiver does not listen on a port');
    return `127.0.0.1:${address.port}`;
  }

  /** Returns the deliveries of one campaign to one of its two paths. */
  of(campaignId: string, path: '/calls' | '/campaign'): Delivered[] {
    return this.deliveries.filter(
      (delivery) => delivery.path === path && delivery.body.campaign_id === campaignId,
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
