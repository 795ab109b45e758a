import { mirrorIn } from '../../../verify/compose/engine/debian';
import { whyNot } from '../../../verify/compose/engine/machine';
import { wayBack } from '../../../verify/compose/engine/netfilter';

const MACHINE = { platform: 'linux', uid: 0, missingCommands: [], hasKeyring: true, engines: [] };

test('accepts a Debian machine with root and without a container engine', () => {
  expect(whyNot(MACHINE)).toBeNull();
});

test.each([
  [{ uid: 1000 }, 'It needs root'],
  [{ platform: 'darwin' }, 'It needs Linux'],
  [{ missingCommands: ['ip'] }, 'apt-get install iproute2'],
  [{ hasKeyring: false }, 'apt-get install debian-archive-keyring'],
  [{ engines: ['A Docker engine answers at /var/run/docker.sock.'] }, 'A Docker engine answers'],
])('rejects a machine with %j and suggests --use-docker', (difference, sentence) => {
  const reason = whyNot({ ...MACHINE, ...difference });
  expect(reason).toContain(sentence);
  expect(reason).toContain('--use-docker');
});

test("takes Debian's main archive as the mirror, not its updates or another vendor's packages", () => {
  const targets = [
    'Vendor main stable http://vendor.example/apt/',
    'Debian main stable-security http://mirror.example/security/',
    'Debian main oldstable http://mirror.example/debian/',
  ];
  expect(mirrorIn(targets.join('\n'))).toBe('http://mirror.example/debian/');
  expect(mirrorIn(targets.slice(0, 2).join('\n'))).toBeNull();
});

test('removes the firewall rules, chains and policies that an engine added, and no others', () => {
  const before = ['*filter', ':FORWARD ACCEPT [0:0]', ':OURS - [0:0]', '-A FORWARD -j OURS', 'COMMIT'];
  const after = [
    ...['*filter', ':FORWARD DROP [5:60]', ':OURS - [0:0]', ':DOCKER - [0:0]', '-A FORWARD -j OURS'],
    ...['-A FORWARD -m comment --comment "for docker" -j DOCKER', '-A DOCKER -o docker0 -j DROP', 'COMMIT'],
    ...['*nat', ':OUTPUT ACCEPT [0:0]', ':DOCKER - [0:0]', '-A OUTPUT -j DOCKER', 'COMMIT'],
  ];
  expect(wayBack(before.join('\n'), after.join('\n')).map((args) => args.join(' '))).toEqual([
    '-t filter -D FORWARD -m comment --comment for docker -j DOCKER',
    '-t filter -F DOCKER',
    '-t filter -X DOCKER',
    '-t filter -P FORWARD ACCEPT',
    '-t nat -D OUTPUT -j DOCKER',
    '-t nat -F DOCKER',
    '-t nat -X DOCKER',
  ]);
});
