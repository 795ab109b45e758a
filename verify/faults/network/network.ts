import type { LinkName, ProcessName } from '../plan/faults';
import { Link } from './link';

type Server = 'postgres' | 'temporal' | 'carrier' | 'receiver' | 'api';

/** The port behind each link, by the process that is called. */
export type Ports = Record<Server, number>;

/** All links of a run. */
export class Network {
  private constructor(
    private readonly links: ReadonlyMap<LinkName, Link>,
    private readonly isBalanced: boolean,
  ) {}

  /** `isBalanced`: a balancer is behind the link to the API, and lives on when an API dies. */
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

  /** Those over which a process is called: it refuses connections while it is dead, and so must its proxies. */
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
