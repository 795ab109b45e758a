import { diskFinding, hostOf, memoryCheck, registryFinding } from '../../../dev/doctor/machine';

const GIB = 1024 ** 3;

describe('the check of memory', () => {
  test.each([
    [16, 'ok'],
    [3, 'note'],
    [0.5, 'missing'],
  ])('rates %s GiB of free memory as %s', (free, state) => {
    const found = memoryCheck({ free: free * GIB, total: 16 * GIB });
    expect(found).toMatchObject({ state, found: `${free.toFixed(1)} GiB free of 16.0 GiB` });
    expect(found.remedy === null).toBe(state === 'ok');
  });
});

describe('the check of the disk', () => {
  test.each([
    [100, 'ok'],
    [4, 'note'],
    [1, 'missing'],
  ])('rates %s GiB of free space as %s', (free, state) => {
    expect(diskFinding(free * GIB, '/data')).toMatchObject({ state });
  });

  test('adds a note if the free space is unknown', () => {
    expect(diskFinding(null, '/data')).toMatchObject({ state: 'note', remedy: null });
  });
});

describe('the check of the registry', () => {
  const seen = (output: string, packagesInstalled = false) =>
    registryFinding({ code: 1, output, host: 'registry.example', packagesInstalled });

  test('accepts a registry that responds, even without a ping endpoint', () => {
    const answered = {
      code: 0,
      output: 'npm notice PONG 7ms',
      host: 'registry.example',
      packagesInstalled: false,
    };
    expect(registryFinding(answered)).toMatchObject({ state: 'ok', found: 'registry.example answers' });
    expect(seen('npm error code E404\nnpm error 404 Not Found')).toMatchObject({ state: 'ok' });
  });

  test('reports an unreachable registry as missing before packages are installed, and as a note afterwards', () => {
    expect(seen('npm error code ENOTFOUND')).toMatchObject({
      state: 'missing',
      found: 'registry.example does not answer npm (ENOTFOUND)',
      remedy: expect.stringContaining('npm config'),
    });
    expect(seen('npm error code ENOTFOUND', true)).toMatchObject({ state: 'note', remedy: null });
    expect(seen('')).toMatchObject({ found: 'registry.example does not answer npm (no answer in time)' });
  });

  test('suggests a login if the registry requires one', () => {
    expect(seen('npm ERR! code E401').remedy).toContain('npm login');
  });

  test("shows the registry's host without the credentials in its URL", () => {
    expect(hostOf('npm warn something\nhttps://user:secret@registry.example:8443/npm/\n')).toBe(
      'registry.example:8443',
    );
    expect(hostOf('')).toBe('the registry');
  });
});
