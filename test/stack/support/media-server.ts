/** Runs LiveKit's server alone, for rooms without phones. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { freePort, isFreeEverywhere, releasePort } from '../../../dev/stack/ports';
import { RunningProcess } from '../../../dev/stack/processes';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { answersOk } from '../../../dev/stack/wait-until';
import { published } from '../../servers/published';

export interface MediaServer {
  access: { url: string; apiKey: string; apiSecret: string };
  stop: () => Promise<void>;
}

const HOST = '127.0.0.1';
const KEYS = { apiKey: 'local', apiSecret: 'a-secret-that-is-nobody-elses-but-this-test-run' };

export async function startMediaServer(): Promise<MediaServer> {
  const folder = await mkdtemp(join(tmpdir(), 'media-'));
  const ports = [await freePort(0), await freePort(0, isFreeEverywhere), await freePort(0, isFreeEverywhere)];
  const [port = 0, tcp = 0, udp = 0] = ports;
  const config = {
    port,
    bind_addresses: [HOST],
    rtc: {
      tcp_port: tcp,
      udp_port: udp,
      node_ip: HOST,
      use_external_ip: false,
      enable_loopback_candidate: true,
    },
    keys: { [KEYS.apiKey]: KEYS.apiSecret },
    logging: { level: 'error' },
  };
  const file = join(folder, 'livekit.json');
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  const watchdog = startWatchdog();
  const server = new RunningProcess(
    {
      name: `livekit-${port}`,
      command: published('TEST_LIVEKIT_SERVER'),
      args: ['--config', file],
      env: process.env,
      cwd: '/',
      ready: () => answersOk(`http://${HOST}:${port}/`),
      readyTimeoutMs: 60_000,
      graceMs: 5_000,
    },
    { logFolder: folder, runFolder: folder, watchdog },
  );
  await server.start();
  return {
    access: { url: `ws://${HOST}:${port}`, ...KEYS },
    stop: async () => {
      await server.stop();
      watchdog.stop();
      for (const one of ports) releasePort(one);
      await removeFolder(folder);
    },
  };
}
