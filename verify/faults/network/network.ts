import { LINKS, type LinkName, type ProcessName } from '../plan/faults';
import { Link } from './link';

type Server = 'postgres' | 'temporal' | 'carrier' | 'receiver' | 'api';

/** The port behind each link, by the process that is called. */
export type Ports = Record<Server, number>;

/** All links of a run. */
export class Network {
  private constructor(private readonly links: ReadonlyMap<LinkName, Link>) {}

  static async open(ports: Ports): Promise<Network> {
    const links = new Map<LinkName, Link>();
    for (const name of LINKS) links.set(name, await Link.open(ports[serverOf(name)]));
    return new Network(links);
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
    const server = process === 'simulator' ? 'carrier' : process;
    return LINKS.filter((name) => serverOf(name) === server).map((name) => this.link(name));
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
  switch (link) {
    case 'api-postgres':
    case 'worker-postgres':
    case 'worker-2-postgres':
      return 'postgres';
    case 'api-temporal':
    case 'worker-temporal':
    case 'worker-2-temporal':
      return 'temporal';
    case 'worker-carrier':
    case 'worker-2-carrier':
      return 'carrier';
    case 'worker-receiver':
      return 'receiver';
    case 'carrier-api':
      return 'api';
  }
}
