/** A private Docker engine with its own programs, socket, data and client configuration. */
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { RunningProcess } from '../../../dev/stack/processes';
import { startWatchdog, type Watchdog } from '../../../dev/stack/watchdog';
import { run } from '../../../dev/toolchain/run';
import { CannotRun } from './machine';
import { forgetBefore, noteTraces, readBefore, undoTraces, writeBefore, type Before } from './traces';

/** The path must be short, because a socket's path can have at most 107 characters. */
const RUN_FOLDER = '/run/voice-agent-platform-engine';
const SOCKET = join(RUN_FOLDER, 'engine.sock');
const STOPS_WITHIN_MS = 90_000;
const STARTS_WITHIN_MS = 60_000;

/** Folders that an engine uses inside `folder`. */
const places = (folder: string) => ({
  programs: join(folder, 'programs'),
  data: join(folder, 'data'),
  links: join(folder, 'links'),
  client: join(folder, 'client'),
  logs: join(folder, 'logs'),
  before: join(folder, 'machine-before.json'),
});

export class Engine {
  private constructor(
    private readonly folder: string,
    private readonly before: Before,
    private readonly process: RunningProcess,
    private readonly watchdog: Watchdog,
    /** Environment in which `docker` uses this engine. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Starts the engine from the programs in `<folder>/programs`, where `unpackEngine` puts them. */
  static async start(folder: string): Promise<Engine> {
    const { data, logs, before: file } = places(folder);
    await mkdir(data, { recursive: true, mode: 0o711 });
    await linkPrograms(folder);
    const environment = environmentOf(folder);
    await checkNetfilter(environment);
    // After a killed run, the state from before that run must be restored.
    const before = (await readBefore(file)) ?? (await noteTraces(environment));
    await writeBefore(file, before);
    await mkdir(RUN_FOLDER, { recursive: true, mode: 0o711 });
    const watchdog = startWatchdog();
    const process = new RunningProcess(
      {
        name: 'dockerd',
        command: join(places(folder).programs, 'usr', 'sbin', 'dockerd'),
        args: await argumentsOf(folder),
        env: environment,
        cwd: '/',
        ready: async () => (await docker(['version'], environment)).code === 0,
        readyTimeoutMs: STARTS_WITHIN_MS,
        graceMs: STOPS_WITHIN_MS,
      },
      { logFolder: logs, runFolder: RUN_FOLDER, watchdog },
    );
    const engine = new Engine(folder, before, process, watchdog, environment);
    try {
      await process.start();
    } catch (error) {
      await engine.remove();
      throw error;
    }
    return engine;
  }

  /** Acts like a reboot: the engine starts the containers whose policy is "unless-stopped". */
  async restart(): Promise<void> {
    await this.process.restart();
  }

  /** Stops the engine and reverts its changes to the machine. Images and caches stay in its folder. */
  async remove(): Promise<void> {
    await this.process.stop();
    this.watchdog.stop();
    await undo(this.folder, this.before, this.environment);
  }
}

/** Cleans up after a killed run. Returns true if there was one. */
export async function recover(folder: string): Promise<boolean> {
  const before = await readBefore(places(folder).before);
  if (before === null) return false;
  // Only a running engine can stop containers properly.
  const engine = await Engine.start(folder);
  const { output } = await docker(['ps', '--all', '--quiet'], engine.environment);
  const ids = output.split('\n').filter(Boolean);
  if (ids.length > 0) await docker(['rm', '--force', '--volumes', ...ids], engine.environment);
  await docker(['volume', 'prune', '--all', '--force'], engine.environment);
  await docker(['network', 'prune', '--force'], engine.environment);
  await engine.remove();
  return true;
}

async function undo(folder: string, before: Before, environment: NodeJS.ProcessEnv): Promise<void> {
  const { data, before: file } = places(folder);
  await undoTraces(before, { environment, folders: [data, RUN_FOLDER] });
  await removeFolder(RUN_FOLDER);
  await forgetBefore(file);
}

const docker = (args: string[], env: NodeJS.ProcessEnv) =>
  run({ command: 'docker', args, timeoutMs: STARTS_WITHIN_MS, env });

/** `iptables` is a link, and its behaviour depends on the name it is called by. The package contains both variants. */
async function linkPrograms(folder: string): Promise<void> {
  const { programs, links, client } = places(folder);
  await Promise.all([removeFolder(links), removeFolder(client)]);
  await mkdir(links, { recursive: true });
  await mkdir(join(client, 'cli-plugins'), { recursive: true });
  for (const version of ['', '6']) {
    for (const part of ['', '-save', '-restore']) {
      await symlink(
        join(programs, 'usr', 'sbin', 'xtables-nft-multi'),
        join(links, `ip${version}tables${part}`),
      );
    }
  }
  const plugins = join(programs, 'usr', 'libexec', 'docker', 'cli-plugins');
  for (const plugin of ['docker-buildx', 'docker-compose']) {
    await symlink(join(plugins, plugin), join(client, 'cli-plugins', plugin));
  }
  await writeFile(join(client, 'config.json'), '{}');
  await writeFile(join(client, 'daemon.json'), '{}');
  await chmod(client, 0o700);
}

function environmentOf(folder: string): NodeJS.ProcessEnv {
  const { programs, links, client } = places(folder);
  const libraries = join(
    programs,
    'usr',
    'lib',
    `${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`,
  );
  const bins = [links, join(programs, 'usr', 'bin'), join(programs, 'usr', 'sbin')];
  return {
    ...process.env,
    PATH: [...bins, process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(delimiter),
    LD_LIBRARY_PATH: libraries,
    XTABLES_LIBDIR: join(libraries, 'xtables'),
    DOCKER_HOST: `unix://${SOCKET}`,
    DOCKER_CONFIG: client,
  };
}

async function argumentsOf(folder: string): Promise<string[]> {
  const { programs, data, client } = places(folder);
  const mtu = await smallestMtu();
  return [
    ...['--config-file', join(client, 'daemon.json'), '--host', `unix://${SOCKET}`],
    ...['--data-root', data, '--exec-root', RUN_FOLDER, '--pidfile', join(RUN_FOLDER, 'engine.pid')],
    ...['--init-path', join(programs, 'usr', 'bin', 'tini-static')],
    ...['--userland-proxy-path', join(programs, 'usr', 'sbin', 'docker-proxy')],
    ...['--mtu', mtu, '--default-network-opt', `bridge=com.docker.network.driver.mtu=${mtu}`],
  ];
}

/** Returns the smallest MTU of the outgoing links, because a link would drop larger packets from containers. */
async function smallestMtu(): Promise<string> {
  const routes = (await readFile('/proc/net/route', 'utf8')).split('\n').map((line) => line.split('\t'));
  const links = routes.filter(([, destination]) => destination === '00000000').map(([link]) => link);
  const sizes = await Promise.all(
    links.map(async (link) => Number(await readFile(`/sys/class/net/${link}/mtu`, 'utf8'))),
  );
  return String(Math.min(1500, ...sizes));
}

async function checkNetfilter(env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await run({
    command: 'iptables',
    args: ['--table', 'nat', '--list-rules'],
    timeoutMs: 10_000,
    env,
  });
  if (code === 0) return;
  throw new CannotRun(
    `The kernel gives no netfilter table "nat", which an engine needs for its networks: ${output.trim()}\n` +
      'Use a machine or virtual machine of its own; a container needs --privileged.',
  );
}
