import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { readAgentSettings } from '../../../agent/settings';
import { readAdminSettings, readApiSettings } from '../../../api/settings';
import { readWorkerSettings } from '../../../worker/settings';
import {
  environmentOf,
  interpolate,
  readCompose,
  root,
  textOf,
  textsOf,
  usesIn,
  type Service,
} from './compose-file';
import { composeShape } from './compose-shape';
import { filledIn, madeEnvironment } from './filled-in';
import { variablesReadBy } from './variables-read';

const compose = readCompose('docker-compose.yml');
const services = Object.entries(compose.services);
const named = (name: string): Service => compose.services[name] ?? { image: '' };

const IMAGE_VOLUMES = { postgres: '/var/lib/postgresql', redis: '/data' };

/** A service that is only run by hand. Other services with a profile run when that profile is enabled. */
const isTool = (service: Service): boolean => service.profiles?.includes('tools') === true;
const isJob = (service: Service): boolean => service.healthcheck?.disable === true;

/** Names of variables whose values are secret. */
const SECRET = /PASSWORD|SECRET|_KEY$|_PWD$|TOKEN/;

test.each(['docker-compose.yml', 'deploy/development.yml'])('accepts %s as a valid Compose file', (file) => {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(composeShape);
  validate(readCompose(file));
  expect(validate.errors ?? []).toEqual([]);
});

describe.each(services)('Compose service %s', (name, service) => {
  test('uses a single version of its image, pinned by digest unless it is built here', () => {
    expect(service.image).toMatch(
      service.build
        ? /^voice-agent-platform(-agent|-local-models)?:\$\{PLATFORM_VERSION:-local\}$/
        : /^[\w./-]+:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/,
    );
  });

  test('has the restart policy of a server, a job or a tool', () => {
    if (isTool(service)) expect(service.restart).toBe('no');
    else expect(service.restart).toBe(isJob(service) ? 'on-failure:5' : 'unless-stopped');
  });

  test('has a health check, or is a job that another service waits for', () => {
    const waited = services.some(
      ([, other]) => other.depends_on?.[name]?.condition === 'service_completed_successfully',
    );
    const asked = service.healthcheck?.test !== undefined;
    expect(isTool(service) ? 'a tool' : asked || (isJob(service) && waited)).toBeTruthy();
  });

  test('runs without root and cannot gain privileges', () => {
    expect(service.user).toMatch(/^(?!root$|0(:|$))[\w:]+$/);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
  });

  test('can write only to its volumes and to memory', () => {
    const writes = ['temporal-ui'];
    expect(service.read_only).toBe(!writes.includes(name));
  });

  test('limits the size of its log', () => {
    expect(service.logging?.options).toEqual({ 'max-size': '50m', 'max-file': '5' });
  });

  test('waits only for services that can become ready', () => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const job = condition === 'service_completed_successfully';
      expect([other, isJob(named(other)), named(other).profiles]).toEqual([other, job, undefined]);
    }
  });

  test('contains no secrets, and requires each secret without a default', () => {
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (value === null || !SECRET.test(variable)) continue;
      expect([variable, usesIn(String(value)).map((use) => use.required)]).toEqual([variable, [true]]);
    }
    const secrets = textsOf(service)
      .flatMap(usesIn)
      .filter((use) => SECRET.test(use.name));
    expect(secrets.filter((use) => !use.required)).toEqual([]);
  });

  test('mounts only existing files and declared volumes', () => {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      const known = source.startsWith('./')
        ? existsSync(join(root, source))
        : source in (compose.volumes ?? {});
      expect([source, known]).toEqual([source, true]);
    }
  });

  test('mounts a volume for each volume that its image declares, because `down` keeps anonymous volumes', () => {
    const declared = Object.entries(IMAGE_VOLUMES).flatMap(([image, path]) =>
      service.image.startsWith(`${image}:`) ? [path] : [],
    );
    const mounted = (service.volumes ?? []).map((volume) => volume.split(':')[1] ?? '');
    expect([...(service.tmpfs ?? []), ...mounted]).toEqual(expect.arrayContaining(declared));
  });

  test('uses only declared networks', () => {
    const unknown = (service.networks ?? []).filter((network) => !(network in (compose.networks ?? {})));
    expect([unknown, service.networks === undefined]).toEqual([[], service.network_mode === 'host']);
  });
});

test('publishes only SIP, media and loopback ports of the deployment', () => {
  expect(Object.fromEntries(services.flatMap(([name, { ports }]) => (ports ? [[name, ports]] : [])))).toEqual(
    {
      'temporal-ui': ['127.0.0.1:8233:8080'],
      redis: ['127.0.0.1:6379:6379'],
      livekit: ['127.0.0.1:7880:7880', '7881:7881', '7882-7889:7882-7889/udp'],
      api: ['127.0.0.1:8080:8080'],
    },
  );
  expect(services.filter(([, { network_mode }]) => network_mode === 'host').map(([name]) => name)).toEqual([
    'sip',
  ]);
});

test('puts Postgres and Temporal on an internal network', () => {
  expect([named('postgres').networks, named('temporal').networks]).toEqual([['inside'], ['inside']]);
  expect(compose.networks?.inside).toEqual({ internal: true });
});

/** Returns the services that share a network with this one and can therefore connect to it. */
const neighboursOf = (name: string): string[] =>
  services
    .filter(
      ([other, { networks = [] }]) =>
        other !== name && networks.some((each) => named(name).networks?.includes(each)),
    )
    .map(([other]) => other)
    .sort();

test('connects agent, LiveKit, Redis, API and worker, and connects the local models only with the agent', () => {
  const outside = ['agent', 'api', 'livekit', 'redis', 'worker'];
  for (const name of ['livekit', 'redis'])
    expect([name, neighboursOf(name)]).toEqual([name, outside.filter((other) => other !== name)]);
  expect(neighboursOf('agent')).toEqual(['api', 'livekit', 'local-models', 'redis', 'worker']);
});

test("lets only the agent reach the local models, which can't reach other hosts", () => {
  expect([neighboursOf('local-models'), named('local-models').networks]).toEqual([['agent'], ['speech']]);
  expect(compose.networks?.speech).toEqual({ internal: true });
});

test('points the agent to the local models when their profile is enabled', () => {
  const given = environmentOf(named('agent'), filledIn());
  expect(given.LOCAL_MODELS_URL).toBe('http://local-models:8790/v1');
  expect(named('local-models').profiles).toEqual(['local-models']);
});

test('lets only our own processes reach Postgres, Temporal and its UI', () => {
  const ours = ['admin', 'api', 'migrate', 'worker'];
  const inside = [
    ...ours,
    'postgres',
    'temporal',
    'temporal-namespace',
    'temporal-schema',
    'temporal-ui',
    'temporal-visibility',
  ];
  for (const name of ['postgres', 'temporal', 'temporal-ui'])
    expect([name, neighboursOf(name)]).toEqual([name, inside.filter((other) => other !== name).sort()]);
});

test('starts only programs that the build produces in our own images', () => {
  const ours = services.filter(([name, { build }]) => build !== undefined && name !== 'local-models');
  const programs = ours.map(([, { command, entrypoint }]) => (entrypoint ?? command ?? []).join(' '));
  expect(programs.sort()).toEqual(
    [
      'dist/agent/main.js',
      'dist/api/admin/main.js',
      'dist/api/main.js',
      'dist/db/migrate.js',
      'dist/worker/main.js',
    ].map((program) => `node ${program}`),
  );
  for (const program of programs) {
    const source = program.replace('node dist/', '').replace(/\.js$/, '.ts');
    expect([source, existsSync(join(root, source))]).toEqual([source, true]);
  }
});

describe('the environment', () => {
  const values = filledIn();
  const uses = services.flatMap(([, service]) => textsOf(service).flatMap(usesIn));
  const handedOn = services.flatMap(([, { environment }]) =>
    Object.entries(environment ?? {}).flatMap(([name, value]) => (value === null ? [name] : [])),
  );

  test('documents every variable of the Compose file', () => {
    const described = new Set([
      ...Object.keys(madeEnvironment()),
      ...[...textOf('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
      ...[...textOf('docs/production.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)].map(([, name]) => name),
    ]);
    const names = new Set([...uses.map(({ name }) => name), ...handedOn]);
    expect([...names].filter((name) => !described.has(name))).toEqual([]);
  });

  test('requires only variables that make-env.sh creates or leaves for the operator to fill in', () => {
    const asked = Object.keys(madeEnvironment());
    const required = new Set(uses.filter((use) => use.required).map((use) => use.name));
    expect([...required].filter((name) => !asked.includes(name))).toEqual([]);
  });

  test.each(Object.entries(variablesReadBy))('passes %s every variable that it reads', (name, read) => {
    expect(read.length).toBeGreaterThan(0);
    const given = Object.keys(named(name).environment ?? {});
    expect(read.filter((variable) => !given.includes(variable))).toEqual([]);
  });

  test('gives each of our processes valid settings', () => {
    const given = (name: string) => environmentOf(named(name), values);
    expect(readApiSettings(given('api'))).toMatchObject({
      storage: { dataDir: '/data', s3: null },
      temporal: { address: 'temporal:7233', namespace: 'default' },
    });
    expect(readWorkerSettings(given('worker'))).toMatchObject({ healthPort: 3020 });
    expect(readAdminSettings(given('admin'))).toMatchObject({ temporal: { address: 'temporal:7233' } });
    expect(readAgentSettings(given('agent'))).toMatchObject({ apiUrl: 'http://api:8080', healthPort: 3030 });
  });

  test('fails with the name of a missing secret', () => {
    const { SECRETS_KEY: _missing, ...rest } = values;
    expect(() => environmentOf(named('api'), rest)).toThrow('SECRETS_KEY is required');
  });

  test("gives LiveKit and livekit-sip the same key and Redis, and the platform's webhook URL", () => {
    const livekit = parse(environmentOf(named('livekit'), values).LIVEKIT_CONFIG ?? '');
    const sip = parse(environmentOf(named('sip'), values).SIP_CONFIG_BODY ?? '');
    expect(livekit).toMatchObject({
      keys: { [values.LIVEKIT_API_KEY ?? '']: values.LIVEKIT_API_SECRET },
      redis: { password: values.REDIS_PASSWORD },
      webhook: { api_key: values.LIVEKIT_API_KEY, urls: ['http://api:8080/api/livekit/webhook'] },
      rtc: { udp_port: '7882-7889', tcp_port: 7881 },
    });
    expect(sip).toMatchObject({
      redis: { address: '127.0.0.1:6379', password: values.REDIS_PASSWORD },
      sip_port: 5060,
      rtp_port: '10000-20000',
      health_port: 5090,
      max_cpu_utilization: 0.9,
    });
    const raised = environmentOf(named('sip'), { ...values, SIP_MAX_CPU_UTILIZATION: '0.97' });
    expect(parse(raised.SIP_CONFIG_BODY ?? '')).toMatchObject({ max_cpu_utilization: 0.97 });
    expect(environmentOf(named('sip'), values).LIVEKIT_API_SECRET).toBe(values.LIVEKIT_API_SECRET);
  });

  test.each([
    ['queries STUN servers for the address', {}, { use_external_ip: true }],
    ['uses LIVEKIT_NODE_IP and queries none', { LIVEKIT_NODE_IP: '192.0.2.7' }, { use_external_ip: false }],
  ])('configures LiveKit and livekit-sip: %s', (_what, given, expected) => {
    const filled = { ...values, ...given };
    const { rtc } = parse(environmentOf(named('livekit'), filled).LIVEKIT_CONFIG ?? '');
    const sip = parse(environmentOf(named('sip'), filled).SIP_CONFIG_BODY ?? '');
    const address = 'LIVEKIT_NODE_IP' in given ? given.LIVEKIT_NODE_IP : '';
    expect(rtc).toMatchObject({ ...expected, node_ip: address, advertise_internal_ip: true });
    expect(sip).toMatchObject({ ...expected, nat_1_to_1_ip: address, hide_inbound_port: true });
  });

  test("passes a literal $ to a container's shell unchanged", () => {
    const [, , script = ''] = named('temporal-schema').command ?? [];
    expect(interpolate(script, {})).toContain('--schema-name "postgresql/v12/$store"');
  });
});

describe('the stack with Temporal elsewhere', () => {
  const over = readCompose('deploy/temporal-cloud.yml') as any;
  const gone = Object.keys(over.services).filter((name) => over.services[name]?.tag === '!reset');

  test('overrides only existing services', () => {
    expect(Object.keys(over.services).filter((name) => !(name in compose.services))).toEqual([]);
    expect(gone).toEqual([
      'temporal-schema',
      'temporal-visibility',
      'temporal',
      'temporal-namespace',
      'temporal-ui',
    ]);
  });

  test('has no service that waits for the removed Temporal', () => {
    const left = services.filter(([name]) => !gone.includes(name));
    for (const [name, service] of left) {
      const waits = over.services[name]?.depends_on?.value ?? service.depends_on ?? {};
      expect([name, Object.keys(waits).filter((other) => gone.includes(other))]).toEqual([name, []]);
    }
  });

  test('gives services that use Temporal a route to the internet', () => {
    for (const name of ['api', 'worker', 'admin']) {
      const networks = [...(named(name).networks ?? []), ...(over.services[name].networks ?? [])];
      expect([name, networks.includes('outside')]).toEqual([name, true]);
    }
  });
});
