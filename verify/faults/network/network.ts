import type { LinkName, ProcessName } from '../plan/faults';
import { Link } from './link';

type Server = 'postgres' | 'temporal' | 'carrier' | 'receiver' | 'api';

/** Port behind each link, by the process that is called. */
export type Ports = Record<Server, number>;

export class Network {
  private constructor(
    private readonly links: ReadonlyMap<LinkName, Link>,
    private readonly isBalanced: boolean,
  ) {}

  /** With `isBalanced`, the link to the API leads to a balancer, which survives the death of an API process. */
  static async open(names: readonly LinkName[], ports: Ports, isBalanced: boolean): Promise<Network> {
    const links = new Map<LinkName, Link>();
    for (const name of names) links.set(name, await Link.open(ports[serverOf(name)]));
    return new Network(links, isBalanced);
  }

  link(name: LinkName): Link {
    const link = this.links.get(name);
    if (link === undefined) throw new Error(`there is no link ${name}`);
    return link;
  }

  port(name: LinkName): number {
    return this.link(name).port;
  }

  host(name: LinkName): string {
    return this.link(name).host;
  }

  /** Returns the links to a process. A dead process refuses connections, so its proxies must refuse them too. */
  towards(process: ProcessName): Link[] {
    if (process === 'api' && this.isBalanced) return [];
    const server = process === 'simulator' ? 'carrier' : process;
    return [...this.links].flatMap(([name, link]) => (serverOf(name) === server ? [link] : []));
  }

  async heal(): Promise<void> {
    for (const link of this.links.values()) {
      link.loseNoMore();
      await link.heal();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.links.values()].map((link) => link.close()));
  }
}

function serverOf(link: LinkName): Server {
  if (link === 'worker-receiver') return 'receiver';
  if (link === 'carrier-api') return 'api';
  if (link.endsWith('-postgres')) return 'postgres';
  return link.endsWith('-temporal') ? 'temporal' : 'carrier';
}
