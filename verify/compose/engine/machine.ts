/** Checks whether this machine can run a private engine, and whether another engine conflicts with it. */
import { access, readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { isFree } from '../../../dev/stack/ports';
import { run } from '../../../dev/toolchain/run';

export const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** The machine lacks something or has a conflict. Nothing was changed, and the exit status is 2. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

const ENGINE_SOCKET = '/var/run/docker.sock';
const BRIDGE = '/sys/class/net/docker0';
/** Ports that docker-compose.yml publishes. */
const PORTS = [8080, 7880, 7881, 8233, 6379, 5060, 5090];

interface Machine {
  platform: string;
  uid: number | undefined;
  /** Programs from `COMMANDS` that are missing. */
  missingCommands: readonly string[];
  hasKeyring: boolean;
  /** A sentence for each sign that a Docker engine runs or has run here. */
  engines: readonly string[];
}

const COMMANDS = {
  'apt-get': 'a Debian machine has it',
  'dpkg-deb': 'a Debian machine has it',
  ip: 'apt-get install iproute2',
  tar: 'apt-get install tar',
};

export async function inspectMachine(environment: NodeJS.ProcessEnv): Promise<Machine> {
  const commands = await Promise.all(
    Object.keys(COMMANDS).map(async (name) => {
      const works = await run({ command: name, args: ['--version'], timeoutMs: 10_000 }).catch(() => null);
      // The program runs, although `ip` rejects the option.
      return works === null ? [name] : [];
    }),
  );
  return {
    platform: process.platform,
    uid: process.getuid?.(),
    missingCommands: commands.flat(),
    hasKeyring: await exists(KEYRING),
    engines: await enginesHere(environment),
  };
}

/** Returns one line for each problem, with its remedy, or null if the machine is suitable. */
export function whyNot(machine: Machine): string | null {
  const lines = [
    ...(machine.platform === 'linux' ? [] : [`It needs Linux, and this is ${machine.platform}.`]),
    ...(machine.uid === 0 ? [] : ['It needs root, to start a Docker engine of its own: use sudo.']),
    ...machine.missingCommands.map(
      (name) => `"${name}" is not installed: ${COMMANDS[name as keyof typeof COMMANDS]}.`,
    ),
    ...(machine.hasKeyring ? [] : [`There is no ${KEYRING}: apt-get install debian-archive-keyring.`]),
    ...machine.engines,
  ];
  if (lines.length === 0) return null;
  const other = 'With --use-docker it uses the Docker engine of this machine and the real images instead.';
  return ['test:compose cannot start a Docker engine of its own on this machine.', ...lines, other].join(
    '\n',
  );
}

/** A second engine would share the first one's bridge, netfilter chains and ports. */
async function enginesHere({ DOCKER_HOST: host }: NodeJS.ProcessEnv): Promise<string[]> {
  return [
    ...(host ? [`DOCKER_HOST is set to ${host}: unset it, or use that engine.`] : []),
    ...((await answers(ENGINE_SOCKET)) ? [`A Docker engine answers at ${ENGINE_SOCKET}.`] : []),
    ...(await daemons()).map((pid) => `A Docker engine runs as process ${pid}.`),
    ...((await exists(BRIDGE))
      ? ['The bridge docker0 of another engine exists: stop it, and "ip link delete docker0".']
      : []),
  ];
}

async function daemons(): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return pids.filter((_pid, index) => names[index]?.trim() === 'dockerd');
}

/** @throws CannotRun if a port of docker-compose.yml is in use */
export async function checkPorts(): Promise<void> {
  const free = await Promise.all(PORTS.map(isFree));
  const taken = PORTS.filter((_port, index) => free[index] === false);
  if (taken.length > 0) {
    throw new CannotRun(
      `These ports are taken, and docker-compose.yml publishes them: ${taken.join(', ')}. Stop what listens there.`,
    );
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => (connection.destroy(), resolve(true)));
    connection.once('error', () => resolve(false));
  });
