/** Runs SIPp as callers, and as a trunk with its phones. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { isFree, isUdpFree } from '../../../dev/stack/ports';
import { RunningProcess, type Supervision } from '../../../dev/stack/processes';
import { run, type RunResult } from '../../../dev/toolchain/run';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { published } from '../../servers/published';
import { phonesScenario } from './scenario';
import { readSipCalls, type SipCall } from './sip-log';
import { writeSounds } from './sounds';

export type Transport = 'udp' | 'tcp';

const HOST = '127.0.0.1';
/** SIPp's names for a single socket that all calls share. */
const MODES = { udp: 'u1', tcp: 't1' } as const;
/** Statuses with which a phone can reject a call. */
const REFUSALS = [404, 408, 410, 480, 484, 485, 486, 487, 500, 503, 403, 600, 603, 604, 607, 608] as const;
const LONGEST_CALL_MS = 180_000;

export class Phones {
  private readonly trunks: RunningProcess[] = [];
  private numbers = 0;
  private callers = 0;

  private constructor(
    private readonly folder: string,
    private readonly supervision: Supervision,
    /** The bridge that callers use by default. */
    private readonly bridgePort: number,
  ) {}

  static async open(bridgePort: number): Promise<Phones> {
    const folder = await mkdtemp(join(tmpdir(), 'phones-'));
    await writeSounds(folder);
    await writeFile(join(folder, 'phones.xml'), phonesScenario(REFUSALS));
    const supervision = { logFolder: folder, runFolder: folder, watchdog: startWatchdog() };
    return new Phones(folder, supervision, bridgePort);
  }

  /** Returns an unused number whose phone behaves as `phones.xml` defines for this kind. */
  number(kind: number): string {
    return numberOf((this.numbers += 1), kind);
  }

  /** Starts a trunk that the bridge can call. It can be stopped and started again. */
  async trunk(port: number, transport: Transport = 'udp'): Promise<RunningProcess> {
    const name = `trunk-${transport}-${this.trunks.length}`;
    const trunk = new RunningProcess(
      {
        name,
        command: published('TEST_SIPP'),
        args: [
          ...['-sf', 'phones.xml', '-p', String(port), '-t', MODES[transport]],
          ...commonArguments(this.folder, name),
        ],
        env: { ...process.env, TZ: 'UTC' },
        cwd: this.folder,
        ready: () => isTaken(port, transport),
        readyTimeoutMs: 10_000,
        graceMs: 500,
      },
      this.supervision,
    );
    this.trunks.push(trunk);
    await trunk.start();
    return trunk;
  }

  /** Returns the calls that the trunks received, or only those to `number`. */
  calls(number?: string): SipCall[] {
    return this.trunks.flatMap(({ name }) => readSipCalls(logOf(this.folder, name), number));
  }

  /** Starts a caller that behaves as `caller.xml` defines for this kind. */
  call(
    to: string,
    kind: number,
    { transport = 'udp', withinMs = LONGEST_CALL_MS, bridgePort = this.bridgePort }: CallOptions = {},
  ): Caller {
    this.callers += 1;
    const name = `caller-${this.callers}`;
    const from = this.number(kind);
    const done = run({
      command: published('TEST_SIPP'),
      args: [
        ...['-sf', join(__dirname, '..', 'caller.xml'), '-s', to, '-key', 'from', from, '-m', '1'],
        ...['-t', MODES[transport], ...commonArguments(this.folder, name), `${HOST}:${bridgePort}`],
      ],
      env: { ...process.env, TZ: 'UTC' },
      cwd: this.folder,
      timeoutMs: withinMs,
    });
    return { from, done, sip: () => readSipCalls(logOf(this.folder, name))[0] };
  }

  async close(): Promise<void> {
    await Promise.all(this.trunks.map((trunk) => trunk.stop()));
    this.supervision.watchdog.stop();
    await removeFolder(this.folder);
  }
}

export interface CallOptions {
  transport?: Transport;
  bridgePort?: number;
  /** Time after which the caller is stopped, even if the call is still live. */
  withinMs?: number;
}

export interface Caller {
  /** The caller's number. */
  from: string;
  /** Resolves with code 0 if every message arrived as `caller.xml` expects. */
  done: Promise<RunResult>;
  /** Returns the call so far, or undefined until its INVITE is logged. */
  sip: () => SipCall | undefined;
}

/** Returns a well-formed but unassigned number. No mobile number in India begins with 61. */
const numberOf = (nth: number, kind: number): string => `+9161${String(nth).padStart(5, '0')}${kind}`;

const logOf = (folder: string, name: string): string => join(folder, `${name}.messages`);

const commonArguments = (folder: string, name: string): string[] => [
  ...['-i', HOST, '-mi', HOST, '-nostdin', '-trace_msg', '-message_file', logOf(folder, name)],
  ...['-trace_err', '-error_file', join(folder, `${name}.errors`)],
];

const isTaken = async (port: number, transport: Transport): Promise<boolean> =>
  !(await (transport === 'udp' ? isUdpFree(port) : isFree(port)));
