import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import { readSipCalls, type SipCall } from '../../../test/sip/support/sip-log';
import { writeSounds } from '../../../test/sip/support/sounds';
import type { Docker } from '../docker';
import { PHONES_IMAGE } from '../images/stand-ins';
import { SIP_PORT, TRUNK_PORT } from './api';

const TRUNK = 'compose-test-trunk';
const CALLER = 'compose-test-caller';
const CALL_WITHIN_MS = 120_000;

/** Runs SIPp in containers on the host network: the trunk with its phones, and callers. */
export class Phones {
  private numbers = 0;

  private constructor(
    private readonly docker: Docker,
    private readonly folder: string,
  ) {}

  /** Starts the trunk that livekit-sip calls. */
  static async open(docker: Docker, folder: string): Promise<Phones> {
    await mkdir(folder, { recursive: true });
    await writeSounds(folder);
    const scenarios = join(repositoryRoot(), 'test', 'sip');
    for (const name of ['phones.xml', 'caller.xml'])
      await copyFile(join(scenarios, name), join(folder, name));
    const phones = new Phones(docker, folder);
    await phones.close();
    const args = ['-sf', 'phones.xml', '-p', String(TRUNK_PORT), '-t', 'u1', ...commonArguments('trunk')];
    await docker.output(['run', '--detach', '--restart', 'always', ...phones.placed(TRUNK), ...args]);
    return phones;
  }

  /** Returns an unused number whose phone behaves as this kind does in `phones.xml`. */
  number(kind: number): string {
    this.numbers += 1;
    return `+9161${String(this.numbers).padStart(5, '0')}${kind}`;
  }

  calls(number: string): SipCall[] {
    return readSipCalls(join(this.folder, 'trunk.messages'), number);
  }

  /** Calls one of our numbers from `from` with the behaviour in `caller.xml`. Resolves when the call is over. */
  async call(to: string, from: string): Promise<void> {
    const args = ['-sf', 'caller.xml', '-s', to, '-key', 'from', from, '-m', '1', '-t', 'u1'];
    await this.docker.output(
      ['run', '--rm', ...this.placed(CALLER), ...args, ...commonArguments('caller'), `127.0.0.1:${SIP_PORT}`],
      { timeoutMs: CALL_WITHIN_MS },
    );
  }

  async close(): Promise<void> {
    await this.docker.attempt(['rm', '--force', TRUNK, CALLER]);
  }

  private placed(name: string): string[] {
    return ['--name', name, '--network', 'host', '--volume', `${this.folder}:/phones`, PHONES_IMAGE];
  }
}

const commonArguments = (name: string): string[] => [
  ...['-i', '127.0.0.1', '-mi', '127.0.0.1', '-nostdin'],
  ...['-trace_msg', '-message_file', `${name}.messages`, '-trace_err', '-error_file', `${name}.errors`],
];
