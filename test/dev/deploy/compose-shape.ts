/**
 * The part of the Compose format that this project uses. It is stricter than the specification: a key that isn't listed here is treated as
 * a typo.
 */
const text = { type: 'string' } as const;
const texts = { type: 'array', items: text, uniqueItems: true } as const;
const number = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const duration = { type: 'string', pattern: '^([0-9]+(us|ms|s|m|h))+$' } as const;
const size = { type: 'string', pattern: '^[0-9]+[kmg]$' } as const;

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const named = (value: unknown) => ({
  type: 'object',
  patternProperties: { '^[a-zA-Z0-9._-]+$': value },
  additionalProperties: false,
});

const command = { type: 'array', items: text, minItems: 1 };

const healthcheck = {
  oneOf: [
    object({ disable: { const: true } }, ['disable']),
    object(
      {
        test: {
          type: 'array',
          minItems: 2,
          items: [{ enum: ['CMD', 'CMD-SHELL'] }],
          additionalItems: text,
        },
        interval: duration,
        timeout: duration,
        retries: number,
        start_period: duration,
      },
      ['test', 'interval', 'timeout', 'retries'],
    ),
  ],
};

const service = object(
  {
    image: text,
    build: object({ context: text, dockerfile: text }, ['context', 'dockerfile']),
    user: text,
    command,
    entrypoint: command,
    init: flag,
    profiles: texts,
    environment: {
      type: 'object',
      patternProperties: { '^[A-Z][A-Z0-9_]*$': { type: ['string', 'integer', 'null'] } },
      additionalProperties: false,
    },
    depends_on: named(
      object({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition']),
    ),
    ports: { type: 'array', items: { type: 'string', pattern: '^([0-9.]+:)?[0-9-]+:[0-9-]+(/udp)?$' } },
    volumes: { type: 'array', items: { type: 'string', pattern: '^[^:]+:/[^:]+(:ro)?$' } },
    networks: texts,
    network_mode: { const: 'host' },
    restart: { type: 'string', pattern: '^(no|unless-stopped|on-failure:[0-9]+)$' },
    logging: object({ driver: { const: 'json-file' }, options: named(text) }, ['driver', 'options']),
    cap_drop: texts,
    security_opt: texts,
    read_only: flag,
    tmpfs: texts,
    shm_size: size,
    stop_grace_period: duration,
    healthcheck,
    deploy: object({ resources: object({ limits: object({ memory: size, cpus: text }) }) }),
  },
  ['image'],
);

export const composeShape = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    services: named(service),
    networks: named({ oneOf: [{ type: 'null' }, object({ internal: flag })] }),
    volumes: named({ type: 'null' }),
  },
  patternProperties: { '^x-': {} },
  required: ['name', 'services'],
  additionalProperties: false,
};
