import { Gauge, type Registry } from 'prom-client';
import type { PoolUse } from '../../domain/platform-state';

export function poolGauges(registry: Registry, read: () => PoolUse): void {
  const registers = [registry];
  new Gauge({
    name: 'voice_agent_db_pool_connections',
    help: 'Postgres connections of this process, in use and idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, free } = read();
      this.set({ state: 'used' }, used);
      this.set({ state: 'free' }, free);
    },
  });
  new Gauge({
    name: 'voice_agent_db_pool_connections_max',
    help: 'Maximum size of the connection pool of this process.',
    registers,
    collect() {
      this.set(read().max);
    },
  });
  new Gauge({
    name: 'voice_agent_db_pool_waiting',
    help: 'Statements of this process that wait for a connection.',
    registers,
    collect() {
      this.set(read().waiting);
    },
  });
}
