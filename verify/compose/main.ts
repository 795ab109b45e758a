/** `npm run test:compose`: builds and starts the Compose deployment on a Docker engine and performs an operator's tasks. */
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { startModelStandIn } from '../../dev/model-stand-in/server';
import { commandOf, readOptions } from '../../dev/options';
import { during, note, type OnProgress, printProgress } from '../../dev/progress';
import { removeFolder } from '../../dev/remove-folder';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { withLock } from '../../dev/toolchain/lock';
import { Deployment, readPinned } from './deployment';
import { Docker } from './docker';
import { debianMirror, unpackEngine } from './engine/debian';
import { Engine, recover } from './engine/engine';
import { CannotRun, checkPorts, inspectMachine, whyNot } from './engine/machine';
import { findPrograms, makeBases } from './images/bases';
import { makePhones, makeStandIns } from './images/stand-ins';
import { CALLS } from './play/calls';
import { FIRST_CONTACT } from './play/first-contact';
import { ENGINE_RESTART, KEEPING, UPGRADES } from './play/keeping';
import { KILLS } from './play/kills';
import { Phones } from './play/phones';
import { Stage } from './play/stage';
import { hasFailed, playAll, type Result, resultTable } from './steps';

interface ComposeOptions {
  /** Uses the machine's own Docker engine and the real images. */
  useDocker?: true;
  /** Removes data and images left by earlier runs. */
  cold?: true;
}

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
function readCommandLine(args: string[]): ComposeOptions | null {
  const command = commandOf(
    'npm run test:compose --',
    "Builds and starts the deployment of docker-compose.yml and plays an operator's work: calls, a campaign, killed processes, backup and restore, an upgrade. " +
      'As root on a Debian machine it starts a private Docker engine from Debian packages, without installing them, and builds stand-ins for ' +
      'third-party images. Takes 30 minutes the first time, then 10 with the cache (9 GB).',
  )
    .option(
      '--use-docker',
      "use the machine's Docker engine and pull the real images; the project is called compose-test",
    )
    .option('--cold', 'remove the cache of earlier runs first')
    .addHelpText(
      'after',
      '\nExit status 0: every step worked or was skipped. 1: a step failed. 2: this machine cannot run it, and the message says what is missing.',
    );
  return readOptions(command, args);
}

const STEPS = [...FIRST_CONTACT, ...CALLS, ...KILLS, ...KEEPING, ...UPGRADES, ENGINE_RESTART];
/** Has the same Debian version as the stand-ins. */
const REAL_BASE = 'debian:bookworm-slim';

interface Run {
  options: ComposeOptions;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** @throws CannotRun if the machine is unsuitable */
function runCompose(options: ComposeOptions, onProgress: OnProgress, signal: AbortSignal): Promise<Result[]> {
  const context = { options, onProgress, signal };
  return options.useDocker ? withMachinesDocker(context) : withOwnEngine(context);
}

async function withMachinesDocker(context: Run): Promise<Result[]> {
  const docker = new Docker(process.env);
  const { code, output } = await docker
    .attempt(['compose', 'version'])
    .catch(() => ({ code: 1, output: '' }));
  if (code !== 0 || (await docker.attempt(['info'])).code !== 0) {
    throw new CannotRun(`No Docker engine with Compose answers on this machine: ${output.trim()}`);
  }
  await checkPorts();
  await makePhones(docker, REAL_BASE);
  return play(context, { docker, engine: null, hasRealImages: true, withoutBridge: null });
}

async function withOwnEngine(context: Run): Promise<Result[]> {
  const { options, onProgress } = context;
  const machine = await inspectMachine(process.env);
  // A killed run may have left its engine behind. This checks only for problems that another start can't repair.
  const reason = whyNot({ ...machine, engines: [] });
  if (reason !== null) throw new CannotRun(reason);
  const cache = cacheFolder(process.env);
  const folder = join(cache, 'compose');
  await mkdir(folder, { recursive: true });
  const waiting = () => note(onProgress, 'waiting for another run of test:compose');
  return withLock(join(cache, 'compose.lock'), { timeoutMs: 3_600_000, onWait: waiting }, async () => {
    if (await recover(folder)) note(onProgress, 'removed the remains of a killed run');
    const beside = whyNot(await inspectMachine(process.env));
    if (beside !== null) throw new CannotRun(beside);
    await checkPorts();
    if (options.cold) await removeFolder(folder);
    return onOwnEngine(context, cache, folder);
  });
}

async function onOwnEngine(context: Run, cache: string, folder: string): Promise<Result[]> {
  const { onProgress, signal } = context;
  const mirror = await debianMirror();
  await mkdir(folder, { recursive: true });
  await during(onProgress, 'downloading a Docker engine from Debian packages, 90 MB', () =>
    unpackEngine(join(folder, 'programs'), mirror),
  );
  const engine = await during(onProgress, 'starting the engine', () => Engine.start(folder));
  try {
    const docker = new Docker(engine.environment);
    await during(onProgress, 'building base images with debootstrap, about 3 minutes', () =>
      makeBases({ docker, folder, mirror }),
    );
    signal.throwIfAborted();
    const programs = await findPrograms({ environment: process.env, cacheFolder: cache, onProgress });
    signal.throwIfAborted();
    await during(onProgress, 'building stand-ins for third-party images, about 3 minutes', async () =>
      makeStandIns(docker, await readPinned(), programs),
    );
    signal.throwIfAborted();
    const withoutBridge = programs.livekitSip === null ? programs.withoutBridge : null;
    return await play(context, { docker, engine, hasRealImages: false, withoutBridge });
  } finally {
    await during(onProgress, 'stopping the engine and undoing its changes', () => engine.remove());
  }
}

interface Ground {
  docker: Docker;
  engine: Engine | null;
  hasRealImages: boolean;
  withoutBridge: string | null;
}

async function play({ onProgress, signal }: Run, ground: Ground): Promise<Result[]> {
  const { docker, hasRealImages, withoutBridge } = ground;
  const folder = await mkdtemp(join(tmpdir(), 'compose-test-'));
  // The containers' users must be able to read the mounted files.
  await chmod(folder, 0o755);
  const closing: (() => Promise<unknown>)[] = [() => removeFolder(folder)];
  try {
    const deployment = await Deployment.copy({
      docker,
      folder: join(folder, 'checkout'),
      hasRealImages,
      hasBridge: withoutBridge === null,
    });
    closing.push(() => deployment.remove());
    const format = '{{(index .IPAM.Config 0).Gateway}}';
    const [gateway = ''] = await docker.lines(['network', 'inspect', 'bridge', '--format', format]);
    const models = await startModelStandIn({ host: gateway });
    closing.push(() => models.close());
    const phones = await Phones.open(docker, join(folder, 'phones'));
    closing.push(() => phones.close());
    const stage = new Stage({ ...ground, deployment, models, phones, gateway });
    return await playAll(STEPS, stage, { onProgress, signal });
  } finally {
    await during(onProgress, 'removing the deployment', async () => {
      for (const close of closing.reverse()) await close();
    });
  }
}

const CANNOT_RUN = 2;

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const startedAt = performance.now();
  try {
    const results = await runCompose(options, printProgress(process.stderr), stopping.signal);
    console.log(resultTable(results));
    console.log(`${Math.round((performance.now() - startedAt) / 1000)} s in total`);
    return hasFailed(results) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    console.error(error.message);
    return CANNOT_RUN;
  }
}

main().then((status) => process.exit(status), exitWithError);
