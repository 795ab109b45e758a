import { QUOTA_NAMES, readQuotas } from '../domain/quotas';
import { trustedProxies } from './trusted-proxies';
import { address, baseAddress, integer, items, parsed, port, text, variable } from './variable';

const proxies = parsed(
  'comma-separated addresses and networks',
  'comma-separated addresses or networks, such as 10.0.0.0/8,::1',
  (given) => {
    const texts = given === '' ? [] : given.split(',').map((item) => item.trim());
    return trustedProxies(texts) === null ? undefined : texts;
  },
);

const origins = items(
  'comma-separated origins',
  'comma-separated origins, such as https://crm.example.com',
  (item) => (isWebOrigin(item) ? item : undefined),
);

const isWebOrigin = (item: string): boolean =>
  /^https?:[^*]+$/.test(item) && URL.canParse(item) && new URL(item).origin === item;

const quotas = parsed(
  'name=number, comma-separated',
  `quotas such as contacts=5000000,agents=0. Names: ${QUOTA_NAMES.join(', ')}`,
  (given) => (given === '' ? {} : (readQuotas(given) ?? undefined)),
);

const perMinute = integer({ min: 0, max: 1_000_000 });

export const API = {
  PORT: variable({
    kind: port,
    default: 8080,
    readBy: ['api', 'stack'],
    as: 'port',
    description:
      "Port of the API. 0 means any free port. If it's taken, `npm start` and `npm run demo` use the next free one.",
  }),
  HOST: variable({
    kind: text,
    default: { api: '0.0.0.0', simulator: '127.0.0.1', 'sip-stand-in': '127.0.0.1', stack: '127.0.0.1' },
    readBy: ['api', 'simulator', 'sip-stand-in', 'stack'],
    as: 'host',
    description:
      'Interface to listen on. The default of the simulator, `npm start` and `npm run demo` is 127.0.0.1.',
  }),
  METRICS_PORT: variable({
    kind: port,
    readBy: ['api'],
    description: "Port of the API's /metrics on METRICS_HOST. Unset disables it, and 0 means any free port.",
  }),
  RATE_LIMIT_DISPATCH_PER_MIN: variable({
    kind: perMinute,
    default: 500,
    readBy: ['api'],
    description:
      'Dispatch requests per minute for each organization. 0 means no limit. `npm run admin -- org limits` overrides it for one organization.',
  }),
  RATE_LIMIT_PER_MIN: variable({
    kind: perMinute,
    default: 1000,
    readBy: ['api'],
    description: 'Limit per minute for all other requests together, for each organization. 0 means no limit.',
  }),
  BODY_BUFFER_MIB: variable({
    kind: integer({ min: 8, max: 16_384, unit: 'MiB' }),
    default: 64,
    readBy: ['api'],
    description:
      'Maximum total size of the request bodies that one API process holds in memory. One organization can hold a quarter. The default suits a container of 1 GiB, because a body takes up to four times its size while it is parsed.',
  }),
  QUOTAS: variable({
    kind: quotas,
    default: '',
    readBy: ['api'],
    description:
      "Limits on an organization's stored data, such as contacts=20000000,agents=0. 0 means no limit, and others keep their defaults (docs/limits.md). `org limits --quotas` overrides them for one organization.",
  }),
  TRUSTED_PROXIES: variable({
    kind: proxies,
    default: '',
    readBy: ['api'],
    as: 'trustedProxies',
    description:
      "Proxies in front of the API, such as 10.0.0.0/8,::1. If a request comes from one, the API client's address is the last one in X-Forwarded-For that isn't a proxy. The API counts failed key attempts per address. Unset means the address of the connection. docker-compose.yml trusts private networks by default.",
  }),
  CORS_ORIGINS: variable({
    kind: origins,
    default: '',
    readBy: ['api'],
    as: 'corsOrigins',
    description:
      'Origins whose pages can call the API and read recordings, such as https://crm.example.com. Everyone who opens a page can read its API key. Prefer signed recording URLs, and your own server for other requests.',
  }),
  LIVEKIT_PUBLIC_URL: variable({
    kind: address('ws', 'wss', 'http', 'https'),
    readBy: ['api'],
    description: "LiveKit's address for browsers, if it differs from LIVEKIT_URL.",
  }),
  TEMPORAL_WEB_UI: variable({
    kind: baseAddress('http', 'https'),
    readBy: ['api'],
    description:
      "Address of Temporal's Web UI for browsers, such as https://temporal.example.com. The console then links each campaign and call to its workflow. The Web UI shows all organizations, so only sessions of `console link --workflows` get the links.",
  }),
};
