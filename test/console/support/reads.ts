/** Delays or fails the console's requests in the browser. The API itself keeps working. */
import type { Page, Route } from 'playwright-core';

type Fate = 'held' | 'failing' | 'let through';

const UNREACHABLE = { detail: { code: 'SERVICE_UNAVAILABLE', message: 'the database isn’t responding' } };

export class Reads {
  private fate: Fate = 'held';
  private readonly held: Route[] = [];

  private constructor(private readonly page: Page) {}

  /** Holds back all GET requests to matching URLs, except audio and event streams. */
  static async hold(page: Page, urls: RegExp): Promise<Reads> {
    const reads = new Reads(page);
    await page.route(urls, async (route) => {
      const request = route.request();
      if (request.method() !== 'GET' || request.resourceType() !== 'fetch') return route.fallback();
      return reads.take(route);
    });
    return reads;
  }

  /** Fails all matching requests, including the held ones. */
  async fail(): Promise<void> {
    await this.become('failing');
  }

  async letThrough(): Promise<void> {
    await this.become('let through');
  }

  async end(): Promise<void> {
    await this.letThrough();
    await this.page.unrouteAll({ behavior: 'wait' });
  }

  private async become(fate: Fate): Promise<void> {
    this.fate = fate;
    await Promise.all(this.held.splice(0).map((route) => this.take(route)));
  }

  private async take(route: Route): Promise<void> {
    switch (this.fate) {
      case 'held':
        this.held.push(route);
        return;
      case 'failing':
        await route.fulfill({ status: 503, json: UNREACHABLE });
        return;
      case 'let through':
        await route.continue();
    }
  }
}
