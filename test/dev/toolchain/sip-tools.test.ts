import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silent } from '../../../dev/progress';
import { findSipTools } from '../../../dev/toolchain/sip-tools';
import { temporaryFolder } from '../temporary-folder';

/** Creates programs that print their version as the real ones do, and nothing else. */
function machineWith(programs: Readonly<Record<string, string>>, variables: Record<string, string> = {}) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  const environment = { PATH: join(folder, 'bin'), ...variables };
  return { environment, cacheFolder: join(folder, 'cache'), onProgress: silent };
}

const BRIDGE = '[ "$1" = --version ] && echo "SIP version 0.0.0-dev"';
/** SIPp supports only `-v`, and exits with status 99 after it prints its version. */
const SIPP = '[ "$1" = -v ] && echo && echo " SIPp v3.6.1-SCTP-PCAP-RTPSTREAM." && exit 99';

test('finds the SIP bridge and SIPp on PATH', async () => {
  expect(await findSipTools(machineWith({ 'livekit-sip': BRIDGE, sipp: SIPP }))).toMatchObject({
    bridge: { origin: 'PATH', version: 'SIP version 0.0.0-dev' },
    sipp: { origin: 'PATH', version: 'SIPp v3.6.1' },
  });
});

test('lists the SIP bridge and SIPp with their remedies if both are missing', async () => {
  const search = findSipTools(machineWith({}));
  await expect(search).rejects.toThrow(/go build \.\/cmd\/livekit-sip[^]*LIVEKIT_SIP_PATH/);
  await expect(search).rejects.toThrow(/apt-get install sip-tester[^]*SIPP_PATH/);
});

test("rejects a SIPp that can't send audio, and a configured program that doesn't run", async () => {
  const old = SIPP.replace('3.6.1', '3.5.2');
  await expect(findSipTools(machineWith({ 'livekit-sip': BRIDGE, sipp: old }))).rejects.toThrow(
    /3\.5 is older than 3\.6/,
  );
  const wrong = machineWith({ 'livekit-sip': BRIDGE, sipp: SIPP }, { LIVEKIT_SIP_PATH: '/nowhere' });
  await expect(findSipTools(wrong)).rejects.toThrow('LIVEKIT_SIP_PATH=/nowhere does not run');
});
